/** What a reader of mail does not show. */
const unseen = new Set(['head', 'style', 'script', 'title', 'template'])
const blocks = new Set('address article div dd dl dt footer h1 h2 h3 h4 h5 h6 header hr li ol section table tbody td th tr ul'.split(' '))
const apart = new Set(['p', 'blockquote', 'pre'])

const tag = /<(\/?)([a-z][a-z\d]*)\b[^>]*>/iy

/**
 * The words of a mail that came as HTML, line by line, with `>` before those that it quotes. It guesses where a browser would know better, as
 * nothing but words comes of it, and goes over each letter a few times at most.
 */
export function wordsOfHtml(html: string): string {
  const lines = new Lines()
  const lastEnd = html.lastIndexOf('>')
  for (let at = 0; at < html.length; ) {
    const next = html.indexOf('<', at)
    if (next < 0 || next > lastEnd) {
      lines.say(html.slice(at))
      break
    }
    lines.say(html.slice(at, next))
    tag.lastIndex = next
    const [whole = '', closes = '', written = ''] = tag.exec(html) ?? []
    const name = written.toLowerCase()
    if (whole === '' && !/[!?/]/.test(html[next + 1] ?? '')) lines.say('<')
    else lines.mark(name, closes !== '')
    at = behind(html, next, whole, closes === '' && unseen.has(name) ? name : '')
  }
  return lines.all()
}

/** Where it goes on behind a tag, a comment, or all that stands in what is not shown; what has no end reaches to the very end. */
function behind(html: string, at: number, whole: string, hidden: string): number {
  if (html.startsWith('<!--', at)) return endOf(html, '-->', at)
  if (hidden !== '') {
    const place = html.slice(at + whole.length).search(new RegExp(`</${hidden}\\b`, 'i'))
    return place < 0 ? html.length : at + whole.length + place
  }
  if (whole !== '') return at + whole.length
  return /[!?/]/.test(html[at + 1] ?? '') ? endOf(html, '>', at) : at + 1
}

function endOf(html: string, end: string, from: number): number {
  const place = html.indexOf(end, from)
  return place < 0 ? html.length : place + end.length
}

class Lines {
  private readonly lines: string[] = []
  private line = ''
  private quotes = 0

  say(text: string): void {
    this.line += text
  }

  mark(name: string, closes: boolean): void {
    if (name === 'br') return this.end()
    if (!blocks.has(name) && !apart.has(name)) return
    if (this.line.trim() !== '') this.end()
    this.line = ''
    if (apart.has(name) && this.lines.length > 0 && this.lines.at(-1) !== '') this.lines.push('')
    if (name === 'blockquote') this.quotes = Math.max(0, this.quotes + (closes ? -1 : 1))
  }

  all(): string {
    this.end()
    return this.lines.join('\n').trim()
  }

  private end(): void {
    const said = plain(this.line).replaceAll(/\s+/g, ' ').trim()
    this.lines.push(this.quotes > 0 ? `> ${said}` : said)
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

/** Entities that mails are written with in our languages; any other stays as it is. */
const plain = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z])(acute|grave|circ|tilde|uml|ring|cedil)|([a-z]{2,6}));/gi,
    (whole, tens?: string, hex?: string, letter?: string, accent = '', name = '') => {
      if (letter) return `${letter}${accents[accent] ?? ''}`.normalize('NFC')
      const code = tens ? Number(tens) : hex ? Number.parseInt(hex, 16) : 0
      return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : (named[name] ?? whole)
    },
  )
