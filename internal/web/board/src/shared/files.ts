// The files that a page loads after its program.

/** What is bundled with the program in place of a file beside it, by the name of the file. */
export const bundled: Record<string, () => Promise<unknown>> = {}

/** Loads a file beside the program. It is written as './NAME.js': make generate puts the name of the file there, which has a hash. */
export const load = <M>(file: string): Promise<M> =>
  (bundled[file]?.() ?? import(new URL(file, import.meta.url).href)) as Promise<M>
