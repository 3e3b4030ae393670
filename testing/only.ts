/** Returns the chosen names of `--only a,b`, or undefined without it. Throws for an unknown name, as a misspelt one would pass without a test. */
export function namesOf(only: string | undefined, known: readonly string[]): string[] | undefined {
  const names = only?.split(',')
  const unknown = names?.filter(name => !known.includes(name)) ?? []
  if (unknown.length > 0) throw new Error(`--only names none of these: ${unknown.join(', ')}. There are: ${known.join(', ')}`)
  return names
}
