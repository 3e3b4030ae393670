import { invalid } from './refusals.ts'
import type { Ledger } from '../ledger.ts'

const collections = { latest_charge: 'charges', charge: 'charges', payment_intent: 'intents', payment_method: 'methods' } as const

/** Replaces ids by their objects, as `expand[]` requests; in a list, for each entry (`data.latest_charge`). */
export function expanded(ledger: Ledger, object: object, paths: readonly string[]): object {
  return paths.reduce((object, path) => expandOne(ledger, object, path.split('.')), object)
}

function expandOne(ledger: Ledger, object: object, [name = '', ...rest]: string[]): object {
  const value: string | object | null | undefined = Reflect.get(object, name)
  if (name === 'data' && Array.isArray(value)) return { ...object, data: value.map((item: object) => expandOne(ledger, item, rest)) }
  if (!Object.hasOwn(collections, name) || value === undefined)
    throw invalid(`This property cannot be expanded (${name}).`, { param: 'expand' })
  if (value === null) return object
  // Safe: `hasOwn` has checked it above.
  const whole = typeof value === 'string' ? ledger[collections[name as keyof typeof collections]].get(value) : value
  if (!whole) return object
  return { ...object, [name]: rest.length > 0 ? expandOne(ledger, whole, rest) : whole }
}
