/** Parsed JSON with the names that an object has twice, or the position of its first error. `JSON.parse` reports neither. */
export type JsonRead = { value: unknown; duplicates: string[] } | { line: number; column: number; expected: string }

export function readJson(text: string): JsonRead {
  const duplicates: string[] = []
  try {
    scan(text, duplicates)
    return { value: JSON.parse(text), duplicates }
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    const before = text.slice(0, error.at).split('\n')
    return { line: before.length, column: (before.at(-1) ?? '').length + 1, expected: error.message }
  }
}

/** Formats a path within a value: `products[0].name`. */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text ? `${text}.${String(step)}` : String(step)
  }, '')

class SyntaxProblem extends Error {
  readonly at: number

  constructor(at: number, expected: string) {
    super(expected)
    this.at = at
  }
}

const space = /[ \t\n\r]*/y
const quoted = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y

function scan(text: string, duplicates: string[]): void {
  let at = 0
  const take = (token: RegExp): string | undefined => {
    token.lastIndex = at
    const found = token.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  const next = (): string => {
    take(space)
    return text.charAt(at)
  }
  const expect = (sign: string, expected = `'${sign}'`): void => {
    if (next() !== sign) throw new SyntaxProblem(at, expected)
    at += 1
  }

  const readValue = (path: PropertyKey[]): void => {
    const sign = next()
    if (sign === '{') readObject(path)
    else if (sign === '[') readList(path)
    else if (!take(sign === '"' ? quoted : scalar))
      throw new SyntaxProblem(at, sign === '"' ? 'a text that ends on its line, with \\ and control characters escaped' : 'a value')
  }
  const readObject = (path: PropertyKey[]): void => {
    const names = new Set<string>()
    readBetween('{', '}', () => {
      next()
      const name = take(quoted)
      if (name === undefined) throw new SyntaxProblem(at, 'a name in double quotes')
      // Safe: `quoted` matches a JSON string.
      const entryPath = [...path, JSON.parse(name) as string]
      if (names.has(name)) duplicates.push(pathText(entryPath))
      names.add(name)
      expect(':')
      readValue(entryPath)
    })
  }
  const readList = (path: PropertyKey[]): void => readBetween('[', ']', index => readValue([...path, index]))
  const readBetween = (first: string, last: string, readEntry: (index: number) => void): void => {
    expect(first)
    for (let index = 0; ; index += 1) {
      if (index === 0 && next() === last) break
      readEntry(index)
      if (next() !== ',') break
      at += 1
    }
    expect(last, `',' or '${last}'`)
  }

  readValue([])
  if (next() !== '') throw new SyntaxProblem(at, 'the end of the file')
}
