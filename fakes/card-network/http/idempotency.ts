import { createHash } from 'node:crypto'
import type { Ledger } from '../ledger.ts'
import { invalid, Refusal } from './refusals.ts'

export type Reply = { status: number; body: string; requestId: string; kept: boolean; replayed?: boolean }

export type IdempotentRequest = { key: string | undefined; method: string; path: string; body: string }

/**
 * Runs a request once for each idempotency key and repeats its response, even a 500.
 * Rejects a different request with the same key, and one while the first is in progress.
 */
export async function underKey(ledger: Ledger, { key, method, path, body }: IdempotentRequest, work: () => Promise<Reply>): Promise<Reply> {
  if (key === undefined || method !== 'POST') return work()
  if (key.length > 255) throw invalid('Idempotency keys can have up to 255 characters.')
  const request = createHash('sha256').update(`${path}\n${body}`).digest('hex')
  const known = ledger.kept.get(key)
  if (known && known.request !== request) throw reused(key)
  if (known?.status === 0) throw inUse(key)
  if (known) return { status: known.status, body: known.body, requestId: known.requestId, kept: true, replayed: true }
  ledger.kept.set(key, { request, status: 0, body: '', requestId: '' })
  const reply = await work()
  if (reply.kept) ledger.kept.set(key, { request, status: reply.status, body: reply.body, requestId: reply.requestId })
  else ledger.kept.delete(key)
  return reply
}

const reused = (key: string): Refusal =>
  new Refusal(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  })

const inUse = (key: string): Refusal =>
  new Refusal(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Idempotent Key: '${key}'.`,
  })
