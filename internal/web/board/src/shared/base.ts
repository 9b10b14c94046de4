// The server can be below a path of another server, such as /roem: every address of a page begins with it.

const found = /^(.*)\/docs\/assets\/[^/]*$/.exec(new URL(import.meta.url).pathname)

/** The path below which the server is, without a slash at its end: what stands before the folder of this program. */
export const base = found?.[1] ?? ''

// What the page says of itself: the pages that work, if it belongs to a site without a server, and the program of the worker, if it has one.
export const { site, worker } = ((globalThis as { document?: Document }).document?.documentElement.dataset ??
  {}) as Partial<Record<string, string>>

/** The address of a path of the server. Links in its answers may have the base already. */
export const url = (path: string): string =>
  base && path.startsWith(base + '/') ? path : base + (site ? path.replace(/^\/[\w-]+/, '$&.html') : path)
