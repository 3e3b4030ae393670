/**
 * Reads an amount as people and programs write it: `1.234,56`, `1,234.56`, `-50.84`, `50,84-`, `(50.84)`, `33,76 €`. A single separator before exactly three
 * digits groups thousands. Returns cents; nothing for any other text.
 */
export function amountIn(text: string): number | undefined {
  const bare = text.replaceAll(/[\s'’€$£]|[A-Z]{3}/g, '')
  const isNegative = /^[-−].|.[-−]$|^\(.*\)$/.test(bare)
  const digits = bare.replaceAll(/[-−()+]/g, '')
  const sign = isNegative ? -1 : 1
  const [, whole = '', decimals = ''] = /^(\d{1,3}(?:[.,]\d{3})+|\d{1,11})(?:[.,](\d{1,2}|\d{4,20}))?$/.exec(digits) ?? []
  if (whole === '' || new Set(whole.match(/[.,]/g)).size > 1 || (decimals !== '' && whole.includes(separatorAt(digits, decimals))))
    return undefined
  return sign * (Number(whole.replaceAll(/[.,]/g, '')) * 100 + Math.round(Number(`0.${decimals || '0'}`) * 100)) + 0
}

const separatorAt = (digits: string, decimals: string): string => digits.charAt(digits.length - decimals.length - 1)
