/** ISO 13616: country, check digits, account; as banks print it, in groups or not. The rest by 97 must be 1. */
export function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain)) return false
  const turned = plain.slice(4) + plain.slice(0, 4)
  let rest = 0
  for (const letter of turned) {
    const value = Number.parseInt(letter, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
