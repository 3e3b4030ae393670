import type { Call, CallSchemas, Method, Needs } from './call.ts'

type NamesIn<Table> = { [Name in keyof Table]: Table[Name] extends CallSchemas ? Name : never }[keyof Table] & string

/**
 * Returns a function that makes the calls with one need of a table, each with the schemas of its name. The name is a type only, because the browser
 * does not need it: `const sell = callsOf<typeof schemas>()('b2b-products-sell')`, then `sell<'askQuote'>('POST', '/api/quotes')`.
 */
export const callsOf =
  <Table>() =>
  <N extends Needs>(needs: N) =>
  <Name extends NamesIn<Table> = never>(
    method: Method,
    path: `/api/${string}`,
    more?: { idempotent: true },
    // Safe: NamesIn contains only names of the table.
  ): Call<Table[Name] & CallSchemas, N, Name> => ({ needs, method, path, ...more })
