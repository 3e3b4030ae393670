import { displayDate, parseDate } from '#common/kit/dates.ts'

/**
 * What stands in a date field after a key or a paste. Slashes come by themselves while one types at the end, whether they are typed too or
 * not; nothing moves while one mends the middle, and nothing that is no date is made into one.
 */
export function typedDate(before: string, after: string): string {
  const pasted = displayDate(after.trim())
  if (pasted) return pasted
  const atEnd = after.length > before.length && after.startsWith(before)
  return atEnd && /^[\d/.\-\s]*$/.test(after) ? withSlashes(after) : after
}

/** Once it is left: `1/2/2026`, `1.2.2026` and `01022026` are 01/02/2026; all else stays as it was typed, for the rule to refuse. */
export function tidyDate(text: string): string {
  const trimmed = text.trim()
  const known = displayDate(trimmed)
  if (known) return known
  const [, day, month, year] =
    /^(\d{1,2})[/.\-\s]+(\d{1,2})[/.\-\s]+(\d{4})$/.exec(trimmed) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(trimmed) ?? []
  if (!day || !month || !year) return trimmed
  const date = `${day.padStart(2, '0')}/${month.padStart(2, '0')}/${year}`
  return parseDate(date) ? date : trimmed
}

function withSlashes(text: string): string {
  const parts = ['']
  for (const sign of text) {
    const last = parts.at(-1) ?? ''
    const digit = sign >= '0' && sign <= '9'
    if (!digit && last && parts.length < 3) parts.splice(-1, 1, last.padStart(2, '0'), '')
    else if (digit && last.length < (parts.length < 3 ? 2 : 4)) parts.splice(-1, 1, last + sign)
    else if (digit && parts.length < 3) parts.push(sign)
    if (parts.length < 3 && parts.at(-1)?.length === 2) parts.push('')
  }
  return parts.join('/')
}
