import type * as z from 'zod/mini'
import type { Permission } from './permissions.ts'

/**
 * Who may ask: nobody in particular, any signed-in user, any user within a unit, one with a permission in it, or one with b2b-admin, which
 * unit he gives or none.
 */
export type Needs = 'nothing' | 'session' | 'unit' | 'administration' | Permission

/** One conversation, one value: what menu, guard, client, server, OpenAPI and tests read. */
export type Call<Ask extends z.ZodMiniType = z.ZodMiniType, Answer extends z.ZodMiniType = z.ZodMiniType, N extends Needs = Needs> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/api/files/{uuid}`: what stands in braces is a field of the question. */
  path: string
  /** One English line for the OpenAPI document. */
  summary: string
  needs: N
  /** Repeating it with the same Idempotency-Key gives the first reply again. */
  idempotent?: true
  /** Asked without any header of ours. */
  bare?: true
  /** How many bytes its body may have, where that is more than usual. */
  bodyLimit?: number
  /** For a call that anybody may make: more a minute from one network are refused. */
  perMinute?: number
  /** May come as multipart/form-data, with so many files under `files`. */
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
