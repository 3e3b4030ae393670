import * as fc from 'fast-check'

/** Any value, including those that only a bug or a corrupt store produces. For tests of total functions. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({
    withBigInt: true,
    withNullPrototype: true,
    withSparseArray: true,
    withDate: true,
    withMap: true,
    withBoxedValues: true,
    withTypedArray: true,
  }),
  fc.constantFrom<unknown>(Symbol('any'), 1n, Object.create(null), () => 1),
)

/** An object with some of these fields, each with any value. */
export const anyRecord = (fields: readonly string[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(Object.fromEntries(fields.map(field => [field, anyValue])), { requiredKeys: [] })

/** Returns a value that must exist. Throws if it does not. */
export function existing<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The value is missing.')
  return value
}
