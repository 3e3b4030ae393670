/** Reads a query as text, as the router's own parser would turn a token of digits only into a number. */
export const readQuery = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query))

/** Writes the defined parameters as a query with its question mark; an empty text if there are none. */
export function writeQuery(search: Record<string, unknown>): string {
  const defined = Object.entries(search).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(defined.map(([name, value]) => [name, String(value)])).toString()
  return query ? `?${query}` : ''
}

/** Returns a validator that keeps only these parameters of the URL, as text. */
export function textParams<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [name in Name]?: string } => {
    const present = names.filter(name => typeof search[name] === 'string' && search[name] !== '')
    // Safe: the filter leaves only texts under these names.
    return Object.fromEntries(present.map(name => [name, search[name]])) as { [name in Name]?: string }
  }
}
