import { email } from '#common/kit/validators/emails.ts'

/** The limit of the call that sends emails. */
const mostAddresses = 10

export const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

export type AddressesProblem = { kind: 'wrong'; address: string } | { kind: 'none' | 'many' }

/** Returns the problem of the typed addresses: an invalid one, none, or too many. */
export function addressesProblem(text: string): AddressesProblem | undefined {
  const addresses = addressesIn(text)
  // The rule for an address depends on neither language nor day.
  const wrong = addresses.find(address => email(address, { locale: 'en-EN', today: '' }))
  if (wrong !== undefined) return { kind: 'wrong', address: wrong }
  if (addresses.length === 0) return { kind: 'none' }
  return addresses.length > mostAddresses ? { kind: 'many' } : undefined
}
