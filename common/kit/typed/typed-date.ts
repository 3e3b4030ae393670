import { displayDate } from '#common/kit/dates.ts'

/**
 * Returns the text of a date field after a key press or a paste. Adds slashes while the user types at the end, even if the user types them too.
 * Changes nothing while the user corrects the middle or counts days back (`-3`), and never turns text that is not a date into one.
 */
export function typedDate(before: string, after: string): string {
  const pasted = displayDate(after.trim())
  if (pasted) return pasted
  const atEnd = after.length > before.length && after.startsWith(before)
  return atEnd && /^(?!-)[\d/.\-\s]*$/.test(after) ? withSlashes(after) : after
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
