import * as fc from 'fast-check'

/** Anything at all, also what only a programmer's slip or a spoilt store hands in. For tests of what must answer whatever it is asked. */
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

/** An object with some of these fields, each holding anything. */
export const anyRecord = (fields: readonly string[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(Object.fromEntries(fields.map(field => [field, anyValue])), { requiredKeys: [] })
