import type * as z from 'zod/mini'
import type { Permission } from './permissions.ts'

/**
 * The right that a call needs: none, a session, a session within an agency, the administration (in any agency or none), or a permission
 * within an agency.
 */
export type Needs = 'nothing' | 'session' | 'unit' | 'administration' | Permission

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * The part of a call that browser and service share (decision 0030). Its schemas stand beside it and are known here by their type alone:
 * no module that the browser loads may import a schema.
 */
export type Call<S extends CallSchemas = CallSchemas, N extends Needs = 'unit' | Permission, Name extends string = string> = {
  method: Method
  /** `/api/files/{uuid}`: a name in braces is a field of the request. */
  path: string
  needs: N
  /** A repeated request with the same Idempotency-Key gets the first reply again. */
  idempotent?: true
  /** A browser fetches it without our headers: with the session cookie alone it is for the user's first unit. */
  firstUnit?: true
  /** Sent without our headers. */
  bare?: true
  /** Never set: carries the type of the schemas. */
  readonly [schemas]?: S
  /** Never set: only a handler of this name serves the call. */
  readonly [named]?: Name
}

/** The service's part of a call: the schemas that check it, its summary and its limits. */
export type CallSchemas = {
  /** One English line for the OpenAPI document. */
  summary: string
  /** The largest body in bytes, if larger than usual. */
  bodyLimit?: number
  /** The most requests a minute from one network, for a call that needs no session. */
  perMinute?: number
  /** The limits of a call that may come as multipart/form-data, with its files under `files`. */
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

/** The JSON around a failed response; only the server's `serve` and the portal's `ask` use it. A success is `{ code: 200, data }`. */
export type FailureEnvelope = {
  code: number
  error: string
  errorMessage: string
  fields?: { path: string; rule: string; message: string }[]
  data?: unknown
  requestId: string
}

/** The largest page that a list takes. The portal reads no larger one from a URL, since the call would refuse it. */
export const largestPage = 1_000_000

/** Returns a UUID; undefined for anything else, such as what a URL may hold. */
export const idIn = (param: string | undefined): string | undefined =>
  param && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(param) ? param : undefined
