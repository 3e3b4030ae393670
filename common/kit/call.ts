import type * as z from 'zod/mini'
import type { Permission } from './permissions.ts'

/** The access that a call requires. `unit`: a session within an agency; `administration`: in any agency or none; a permission: within an agency. */
export type Needs = 'nothing' | 'session' | 'unit' | 'administration' | Permission

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * The part of a call that browser and service share (decision 0030). It knows its schemas by their type alone: no module that the browser loads may
 * import a schema.
 */
export type Call<S extends CallSchemas = CallSchemas, N extends Needs = 'unit' | Permission, Name extends string = string> = {
  method: Method
  /** `/api/files/{uuid}`: a name in braces is a field of the request. */
  path: string
  needs: N
  /** True if a repeated request with the same Idempotency-Key gets the first response again. */
  idempotent?: true
  /** True if a browser may fetch it without our headers. With the session cookie alone it is for the user's first unit. */
  firstUnit?: true
  /** True if it is sent without our headers. */
  bare?: true
  /** Never set: it carries the type of the schemas. */
  readonly [schemas]?: S
  /** Never set: it lets only a handler of this name serve the call. */
  readonly [named]?: Name
}

/** The service's part of a call: its schemas, its summary and its limits. */
export type CallSchemas = {
  /** One English sentence for the OpenAPI document. */
  summary: string
  /** The maximum body in bytes, if larger than usual. */
  bodyLimit?: number
  /** The maximum requests per minute from one network, for a call that needs no session. */
  perMinute?: number
  /** The limits of a call that accepts multipart/form-data, with its files under `files`. */
  files?: { most: number; megabytes: number }
  request: z.ZodMiniType
  response: z.ZodMiniType
}

declare const schemas: unique symbol
declare const named: unique symbol

export type AnyCall = Call<CallSchemas, Needs>
export type SchemasOf<C extends AnyCall> = NonNullable<C[typeof schemas]>

export type RequestOf<C extends AnyCall> = z.output<SchemasOf<C>['request']>
export type RequestSentOf<C extends AnyCall> = z.input<SchemasOf<C>['request']>
export type ResponseOf<C extends AnyCall> = z.output<SchemasOf<C>['response']>
export type ResponseSentOf<C extends AnyCall> = z.input<SchemasOf<C>['response']>

/** The JSON of a failed response. Only the server's `serve` and the portal's `ask` use it. A success is `{ code: 200, data }`. */
export type FailureEnvelope = {
  code: number
  error: string
  errorMessage: string
  fields?: { path: string; rule: string; message: string }[]
  data?: unknown
  requestId: string
}

/** The largest page number of a list. The portal accepts no larger one from a URL, since the call would refuse it. */
export const largestPage = 1_000_000

/** Returns a UUID, or undefined for any other text, for example from a URL. */
export const idIn = (param: string | undefined): string | undefined =>
  param && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(param) ? param : undefined
