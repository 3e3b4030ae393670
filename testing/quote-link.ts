import type { Json } from './agent.ts'

/** Returns the token of a link that was made for a messenger. */
export const tokenIn = (data: Json): string => /\/my-quote#([\w-]{22})$/.exec(data.url)?.[1] ?? ''

/** Returns the request by which the page of a link pays the quote that it shows. */
export const payBody = (token: string, { policyUuid, version, files, price }: Json, more: Json = {}): Json => ({
  token,
  policyUuid,
  version,
  expectedTotal: price.total,
  declared: { needs: true, files: files.map(({ uuid }: Json) => uuid), beginNow: null },
  ...more,
})
