/** Elements whose content is not shown. */
const hidden = new Set(['head', 'style', 'script', 'title', 'template'])
const blocks = new Set('address article div dd dl dt footer h1 h2 h3 h4 h5 h6 header hr li ol section table tbody td th tr ul'.split(' '))
const paragraphs = new Set(['p', 'blockquote', 'pre'])

const tag = /<(\/?)([a-z][a-z\d]*)\b[^>]*>/iy

/**
 * Extracts an HTML email's text, line by line, with `>` before quoted lines. Approximates a browser in linear time, as only text comes of
 * it.
 */
export function textOfHtml(html: string): string {
  const lines = new Lines()
  const lastEnd = html.lastIndexOf('>')
  for (let at = 0; at < html.length; ) {
    const next = html.indexOf('<', at)
    if (next < 0 || next > lastEnd) {
      lines.append(html.slice(at))
      break
    }
    lines.append(html.slice(at, next))
    tag.lastIndex = next
    const [whole = '', closes = '', written = ''] = tag.exec(html) ?? []
    const name = written.toLowerCase()
    if (whole === '' && !/[!?/]/.test(html[next + 1] ?? '')) lines.append('<')
    else lines.mark(name, closes !== '')
    at = skip(html, next, whole, closes === '' && hidden.has(name) ? name : '')
  }
  return lines.all()
}

/** Returns the index after a tag, a comment or a hidden element. An unclosed one extends to the end. */
function skip(html: string, at: number, whole: string, hiddenTag: string): number {
  if (html.startsWith('<!--', at)) return endOf(html, '-->', at)
  if (hiddenTag !== '') {
    const index = html.slice(at + whole.length).search(new RegExp(`</${hiddenTag}\\b`, 'i'))
    return index < 0 ? html.length : at + whole.length + index
  }
  if (whole !== '') return at + whole.length
  return /[!?/]/.test(html[at + 1] ?? '') ? endOf(html, '>', at) : at + 1
}

function endOf(html: string, end: string, from: number): number {
  const index = html.indexOf(end, from)
  return index < 0 ? html.length : index + end.length
}

class Lines {
  private readonly lines: string[] = []
  private line = ''
  private quotes = 0

  append(text: string): void {
    this.line += text
  }

  mark(name: string, closes: boolean): void {
    if (name === 'br') return this.end()
    if (!blocks.has(name) && !paragraphs.has(name)) return
    if (this.line.trim() !== '') this.end()
    this.line = ''
    if (paragraphs.has(name) && this.lines.length > 0 && this.lines.at(-1) !== '') this.lines.push('')
    if (name === 'blockquote') this.quotes = Math.max(0, this.quotes + (closes ? -1 : 1))
  }

  all(): string {
    this.end()
    return this.lines.join('\n').trim()
  }

  private end(): void {
    const text = plain(this.line).replaceAll(/\s+/g, ' ').trim()
    this.lines.push(this.quotes > 0 ? `> ${text}` : text)
    this.line = ''
  }
}

const accents: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  ring: '\u030a',
  cedil: '\u0327',
}
const named: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'amp& lt< gt> quot" apos\' nbsp\u00a0 euro€ iexcl¡ iquest¿ laquo« raquo» ordfª ordmº lsquo‘ rsquo’ ldquo“ rdquo” ndash– mdash— hellip… ' +
    'middot· bull• deg° oeligœ OEligŒ aeligæ AEligÆ szligß'
  )
    .split(' ')
    .map(each => [each.slice(0, -1), each.slice(-1)]),
)

/** Decodes the entities common in our languages; others stay as they are. */
const plain = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, tens?: string, hex?: string, name = '') => {
    const [, letter, accent = ''] = /^([a-z])(acute|grave|circ|tilde|uml|ring|cedil)$/i.exec(name) ?? []
    if (letter) return `${letter}${accents[accent] ?? ''}`.normalize('NFC')
    const code = tens ? Number(tens) : hex ? Number.parseInt(hex, 16) : 0
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : (named[name] ?? whole)
  })
