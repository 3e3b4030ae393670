import type * as z from 'zod/mini'
import type { Permission } from './permissions.ts'

/**
 * The access that a call needs: none, a session, a unit, or a permission in that unit. `administration` means b2b-admin, with any unit or
 * none.
 */
export type Needs = 'nothing' | 'session' | 'unit' | 'administration' | Permission

/** One call as one value, read by client, server, OpenAPI and tests. */
export type Call<Ask extends z.ZodMiniType = z.ZodMiniType, Answer extends z.ZodMiniType = z.ZodMiniType, N extends Needs = Needs> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/api/files/{uuid}`: names in braces are fields of the request. */
  path: string
  /** One English line for the OpenAPI document. */
  summary: string
  needs: N
  /** Repeating it with the same Idempotency-Key returns the first response again. */
  idempotent?: true
  /** Sent without our headers. */
  bare?: true
  /** Maximum body size in bytes, if above the default. */
  bodyLimit?: number
  /** Maximum requests per minute and network, for calls without sign-in. */
  perMinute?: number
  /** Accepts multipart/form-data with up to so many files under `files`. */
  files?: { most: number; megabytes: number }
  ask: Ask
  answer: Answer
}

export const call = <Ask extends z.ZodMiniType, Answer extends z.ZodMiniType, N extends Needs>(
  definition: Call<Ask, Answer, N>,
): Call<Ask, Answer, N> => definition

export type Question<C extends Call> = z.output<C['ask']>
export type QuestionSent<C extends Call> = z.input<C['ask']>
export type Reply<C extends Call> = z.output<C['answer']>
export type ReplySent<C extends Call> = z.input<C['answer']>
