const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index))

export const countries = letters
  .flatMap(first => letters.map(second => first + second))
  .map((code, value) => ({ value, label: names.of(code) ?? '', detail: code }))
  .filter(({ label }) => label && !label.startsWith('Unknown'))
  .sort((a, b) => a.label.localeCompare(b.label))

export type Policy = {
  policyUuid: string
  policyNumber: string
  productName: string
  policyTaker: string
  startDate: string
  endDate: string
  price: string
  status: string
}

const policyholders = ['Ana García Ruiz', 'João Figueiredo', 'Élodie Marchand', 'Giulia Conti', 'Viajes del Norte S.L.', 'Óscar Ibáñez']
const products = ['Total', 'Essential', 'Snow', 'Students']

export const policies: Policy[] = Array.from({ length: 8 }, (_, index) => ({
  policyUuid: `policy-${index}`,
  policyNumber: `AZ-2026-${String(104_233 + index * 17)}`,
  productName: products[index % products.length] ?? '',
  policyTaker: policyholders[index % policyholders.length] ?? '',
  startDate: `2026-12-${String(index + 4).padStart(2, '0')}`,
  endDate: `2027-01-${String(index + 4).padStart(2, '0')}`,
  price: `${(index * 37.35 + 45.5).toFixed(2)} €`,
  status: index % 3 === 1 ? 'budgeted' : 'purchased',
}))
