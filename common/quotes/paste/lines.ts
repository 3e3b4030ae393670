/** A part of a text: the index of its first character, and of the one after its last. */
export type Span = readonly [from: number, to: number]

/** The maximum number of dates, cities or amounts that are read. No confirmation has more, and no text may block the page. */
const mostMatches = 400

export function matchesIn(text: string, pattern: RegExp): RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  for (const match of text.matchAll(pattern)) {
    if (matches.push(match) === mostMatches) break
  }
  return matches
}

/** Returns the part of a text that a match has, or that its group has if the pattern has the flag d. */
export const spanOf = (match: RegExpExecArray, group = 0): Span => match.indices?.[group] ?? [match.index, match.index + match[0].length]

/** Longer lines are cut, as some texts have no line breaks. */
const longestLine = 400

export function lineStart(plain: string, at: number): number {
  const from = Math.max(0, at - longestLine)
  return from + plain.slice(from, Math.max(0, at)).lastIndexOf('\n') + 1
}

export function lineEnd(plain: string, at: number): number {
  const line = plain.slice(at, at + longestLine)
  const end = line.indexOf('\n')
  return at + (end < 0 ? line.length : end)
}

export const lineAt = (plain: string, at: number): Span => [lineStart(plain, at), lineEnd(plain, at)]

/** Returns the next line above that is not blank. */
export function lineAbove(plain: string, at: number): Span | undefined {
  let end = lineStart(plain, at) - 1
  for (let tries = 0; tries < 3 && end > 0; tries++) {
    const start = lineStart(plain, end)
    if (plain.slice(start, end).trim()) return [start, end]
    end = start - 1
  }
  return undefined
}

/** Writes each character as one small letter without accent, with one kind of blank, dash, quote and arrow. */
export const plainly = (text: string): string => text.replaceAll(/[^ -~\n]/g, plainSign).toLowerCase()

const signs = new Map(
  Object.entries({ '\r': ' ', '\t': ' ', '−': '-', '’': "'", '‘': "'", '´': "'", '•': '|', '·': '|', '▪': '|', '✈': '>' }),
)

/** `signs` is a cache, too, with at most one sign per code unit. */
function plainSign(sign: string): string {
  const plain = signs.get(sign) ?? plainOf(sign)
  signs.set(sign, plain)
  return plain
}

function plainOf(sign: string): string {
  if (/[\s\p{Cf}\p{Cc}]/u.test(sign)) return ' '
  if (/\p{Pd}/u.test(sign)) return '-'
  if (/[→⇒➔➜➝⟶►▶]/u.test(sign)) return '>'
  const letter = (sign.normalize('NFD')[0] ?? sign).toLowerCase()
  return letter.length === 1 ? letter : '?'
}
