// Games that outlive the program: their bytes, in the database of the browser. All pages of a site share it, so each change says which version
// it follows.

/** A game, or version 0 and no bytes where there is none. */
export interface Kept {
  version: number
  value?: Uint8Array | undefined
}

export interface Games {
  read(id: string): Promise<Kept>
  /** Writes the version after one, if that is there, or if there is none and it is 0. Returns the version that it has found. */
  write(id: string, after: number, value: Uint8Array): Promise<Kept>
  remove(id: string): Promise<Kept>
}

const nothing: Kept = { version: 0 }

/** Games in the memory of the program, which end with it. */
export function inMemory(): Games {
  const all = new Map<string, Kept>()
  return {
    read: async (id) => all.get(id) ?? nothing,
    async write(id, after, value) {
      const { version } = all.get(id) ?? nothing
      if (version !== after) return { version }
      all.set(id, { version: after + 1, value })
      return { version }
    },
    async remove(id) {
      all.delete(id)
      return nothing
    },
  }
}

interface Row extends Required<Kept> {
  id: string
  at: number
}

// How many games are kept: the ones with the latest changes.
const most = 50

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((answer, fail) => {
    request.onsuccess = () => answer(request.result)
    request.onerror = () => fail(request.error ?? new Error('the database does not answer'))
  })

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('roem', 1)
  request.onupgradeneeded = () => request.result.createObjectStore('games', { keyPath: 'id' }).createIndex('at', 'at')
  return done(request)
}

/** Games in the database of the browser, or in memory where a page may keep nothing. */
export function inDatabase(): Games {
  const instead = inMemory()
  let opened: Promise<IDBDatabase | null> | undefined
  async function change(
    mode: IDBTransactionMode,
    act: (games: IDBObjectStore) => Promise<Kept>,
    other: () => Promise<Kept>,
  ) {
    opened ??= (async () => open())().catch(() => null)
    const database = await opened
    return database ? act(database.transaction('games', mode).objectStore('games')) : other()
  }
  return {
    read: (id) =>
      change(
        'readonly',
        async (games) => ((await done(games.get(id))) as Row | undefined) ?? nothing,
        () => instead.read(id),
      ),
    write: (id, after, value) =>
      change(
        'readwrite',
        async (games) => {
          const { version } = ((await done(games.get(id))) as Row | undefined) ?? nothing
          if (version !== after) return { version }
          const row: Row = { id, version: after + 1, value, at: Date.now() }
          await done(games.put(row))
          const beyond = (await done(games.count())) - most
          if (beyond > 0) for (const key of await done(games.index('at').getAllKeys(null, beyond))) games.delete(key)
          return { version }
        },
        () => instead.write(id, after, value),
      ),
    remove: (id) =>
      change(
        'readwrite',
        async (games) => {
          await done(games.delete(id))
          return nothing
        },
        () => instead.remove(id),
      ),
  }
}
