/**
 * Reads a list of ages such as `34, 36, 8`, with any separators. An unknown age is `?`, and null here; `40x16` means forty travellers aged 16.
 * Undefined for a text that is not such a list.
 */
export function readAges(text: string): (number | null)[] | undefined {
  const parts = text
    .replaceAll(/(?<=\d)\s*[x×]\s*(?=\d)/gi, 'x')
    .split(/[\s,;.+]+/)
    .filter(Boolean)
  if (!parts.every(part => /^(?:\?|(?:\d{1,3}x)?\d{1,3})$/.test(part))) return undefined
  return parts.flatMap(part => {
    const [age, count = '1'] = part.split('x').toReversed()
    return Array<number | null>(Number(count)).fill(age === '?' ? null : Number(age))
  })
}
