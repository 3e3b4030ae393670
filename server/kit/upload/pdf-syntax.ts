// Reads the syntax of a PDF as its readers do. They find an object by its place, which may be anywhere, also in a string or within a stream: so an object
// is read from each heading in the file, and nothing hides one.

/** Some readers take the last two for blanks, too. */
const blanks = String.raw`[\0\t\n\f\r \x80\xff]`
const heading = new RegExp(String.raw`(?<=(?<![-+.\d])([-+.\d]+)(${blanks}+[-+.\d]+${blanks}*))obj|trailer`, 'g')
/** The rest of a heading, on a line of its own. */
const restOfHeading = new RegExp(String.raw`(?<=([\r\n]${blanks}*(?:[-+.\d]+${blanks}*)?))obj(?![A-Za-z])`, 'g')

/** `written`: the number of an object as it stands in its heading, from the index `from`. A trailer has none. `at`: the index after the heading. */
export type Heading = { written: string; from: number; at: number }

export const headingsIn = (text: string): Heading[] =>
  Array.from(text.matchAll(heading), ({ 0: word, 1: written = '', 2: rest = '', index }) => ({
    written,
    from: index - rest.length - written.length,
    at: index + word.length,
  }))

/** An object without its strings and comments. Its number is NaN for a trailer. A packed object has no heading. */
export type PdfObject = { number: number; bare: string; heading?: Heading }

/** Returns whether a comment stands within a heading, where usual programs write none. */
export function isHeadingSplit(text: string): boolean {
  let from = 0
  for (const { index, 1: rest = '' } of text.matchAll(restOfHeading)) {
    const end = index - rest.length
    const line = text.slice(from, end)
    if (line.slice(Math.max(line.lastIndexOf('\n'), line.lastIndexOf('\r')) + 1).includes('%')) return true
    // The line of a next one begins after the line's end before this one.
    from = end
  }
  return false
}

/** A dictionary or a list, up to `end`: each string in it is written as `()`, each comment as a blank. */
export type Value = { bare: string; end: number }

const closing: Record<string, string> = { '<<': '>>', '[': ']' }

/** Reads the dictionary or list that comes next. Any other value is empty. */
export function valueFrom(text: string, at: number): Value {
  const from = skipBlanks(text, at)
  if (!text.startsWith('<<', from) && text[from] !== '[') return { bare: '', end: from }
  const tokens = /<<|>>|[(<%[\]]/g
  const open: string[] = []
  const parts: string[] = []
  let taken = from
  tokens.lastIndex = from
  for (let found = tokens.exec(text); found; found = tokens.exec(text)) {
    const [token] = found
    const close = closing[token]
    if (close) open.push(close)
    else if (token === open.at(-1)) open.pop()
    if (open.length === 0) return { bare: `${parts.join('')}${text.slice(taken, tokens.lastIndex)}`, end: tokens.lastIndex }
    if (!'(<%'.includes(token)) continue
    parts.push(text.slice(taken, found.index), token === '%' ? ' ' : '()')
    taken = endOf(token, text, tokens.lastIndex)
    tokens.lastIndex = taken
  }
  return { bare: `${parts.join('')}${text.slice(taken)}`, end: text.length }
}

/** Returns the index after a string, a hexadecimal string, or a comment without its line's end. */
function endOf(token: string, text: string, from: number): number {
  if (token === '(') return endOfString(text, from)
  const end = token === '<' ? text.indexOf('>', from) + 1 : indexOf(/[\r\n]/g, text, from)
  return end > 0 ? end : text.length
}

function endOfString(text: string, from: number): number {
  const sign = /\\[^]|[()]/g
  sign.lastIndex = from
  let depth = 1
  for (let found = sign.exec(text); found; found = sign.exec(text)) {
    if (found[0] === '(') depth += 1
    if (found[0] === ')') depth -= 1
    if (depth === 0) return sign.lastIndex
  }
  return text.length
}

/** Returns the index of the first match, else -1. */
function indexOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}

const other = new RegExp(blanks.replace('[', '[^'), 'g')

/** Returns the index of the next sign that is neither a blank nor within a comment. */
function skipBlanks(text: string, from: number): number {
  for (let at = from; ; ) {
    at = indexOf(other, text, at)
    if (at < 0) return text.length
    if (text[at] !== '%') return at
    at = endOf('%', text, at)
  }
}

/** Returns the index where the stream after a dictionary begins, on the line after its keyword, if one follows. */
export function startOfStream(text: string, from: number): number | undefined {
  const at = skipBlanks(text, from)
  if (!text.startsWith('stream', at)) return undefined
  const line = indexOf(/\r\n?|\n/g, text, at)
  return line < 0 ? text.length : line + (text.startsWith('\r\n', line) ? 2 : 1)
}

/** Writes each run of blanks as one, which is a line's end if it has one. */
export const withShortBlanks = (text: string): string => text.replaceAll(/[\s\0]+/g, run => (/[\r\n]/.test(run) ? '\n' : ' '))
