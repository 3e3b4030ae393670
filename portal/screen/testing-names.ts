/** The elements with an implicit role. */
const roles: Record<string, string> = {
  alertdialog: '[role=alertdialog]',
  button: 'button, summary, input[type=button], input[type=submit]',
  cell: 'td',
  checkbox: 'input[type=checkbox]',
  columnheader: 'th',
  dialog: 'dialog',
  grid: '[role=grid]',
  group: 'fieldset, details',
  heading: 'h1, h2, h3, h4, h5, h6',
  img: 'img',
  link: 'a[href]',
  list: 'ul, ol',
  listitem: 'li',
  main: 'main',
  navigation: 'nav',
  option: 'option',
  radio: 'input[type=radio]',
  region: 'section[aria-label], section[aria-labelledby]',
  row: 'tr',
  rowheader: 'th[scope=row]',
  status: 'output',
  table: 'table',
  textbox: 'input:not([type]), input[type=text], input[type=email], textarea',
}

/** Returns the elements with a role. */
export function withRole(inside: ParentNode, role: string): HTMLElement[] {
  const implicit = roles[role]
  const selector = `[role="${role}"]${implicit ? `, ${implicit}` : ''}`
  return [...inside.querySelectorAll<HTMLElement>(selector)].filter(each => (each.getAttribute('role') ?? role) === role)
}

export const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Returns the name that a screen reader reads aloud. */
export function nameOf(element: Element): string {
  const by = element.getAttribute('aria-labelledby')
  if (by)
    return spaced(
      by
        .split(' ')
        .map(id => textOf(element.ownerDocument.getElementById(id)))
        .join(' '),
    )
  const label = element.getAttribute('aria-label')
  if (label) return spaced(label)
  // Safe: elements with labels are fields.
  const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : []
  if (labels.length > 0) return spaced(labels.map(textOf).join(' '))
  return spaced(textOf(element) || element.getAttribute('alt') || element.getAttribute('title') || '')
}

/** Returns an element's text as it is read aloud, without parts hidden from screen readers. */
function textOf(node: Node | null): string {
  if (!node) return ''
  if (node.nodeType === 3) return node.nodeValue ?? ''
  if (node.nodeType !== 1) return ''
  // Safe: its type shows that it is an element.
  const element = node as Element
  if (element.getAttribute('aria-hidden') === 'true' || element.hasAttribute('hidden')) return ''
  const label = element.getAttribute('aria-label')
  if (label) return label
  return [...element.childNodes].map(textOf).join(' ')
}
