// The fields of an address: name=value, with & between them.

/** Reads the fields of a fragment, or says what is wrong with one. names are those that it can have. */
export function fieldsOf(
  hash: string,
  names: readonly string[],
): Map<string, string> | ['urlField' | 'urlUnknown', { field: string }] {
  const fields = new Map<string, string>()
  for (const part of hash.replace(/^#/, '').split('&')) {
    const at = part.indexOf('=')
    const name = part.slice(0, Math.max(0, at))
    const field = part.slice(0, 20)
    if (at < 1) return ['urlField', { field }]
    if (!names.includes(name)) return ['urlUnknown', { field: name.slice(0, 20) }]
    try {
      fields.set(name, decodeURIComponent(part.slice(at + 1)))
    } catch {
      return ['urlField', { field }]
    }
  }
  return fields
}
