import { randomBytes } from 'node:crypto'
import { Refusal } from '#common/kit/refusals.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { hashToken } from '#server/session/tokens.ts'
import {
  type FactorRow,
  findFactor,
  lockFactor,
  insertWrongCode,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeStep,
  wrongCodesOf,
} from './queries.ts'
import { base32, stepOf } from './totp.ts'

const recoveryCodes = 10
const groups = 3
const groupLength = 4
const wrongCodesADay = 20
const dayMs = 86_400_000

/** The result of the second factor at a sign-in: not set up, missing from the request, right, or wrong. */
export type FactorResult = 'none' | 'wanted' | 'right' | 'wrong'

export async function checkSecondFactor(
  world: World,
  tx: ServiceTx,
  { userId, code, source }: { userId: string; code: string | undefined; source: string },
): Promise<FactorResult> {
  const factor = await findFactor(tx, userId)
  if (!factor?.confirmed_at) return 'none'
  if (code === undefined) return 'wanted'
  return (await takeCode(world, tx, { userId, code, source })) ? 'right' : 'wrong'
}

type CodeAttempt = { userId: string; code: string; source: string }

/**
 * Consumes a code of the app or a recovery code, each of which works once (B31). Returns whether it was right.
 * After twenty wrong codes within a day, codes of that source are refused. The lock on the factor keeps concurrent guesses within the
 * limit.
 */
export async function takeCode(world: World, tx: ServiceTx, attempt: CodeAttempt): Promise<boolean> {
  const { userId, source } = attempt
  const now = world.realTime.now()
  const factor = await lockFactor(tx, userId)
  if (!factor) return false
  const { many, oldest } = await wrongCodesOf(tx, userId, source, new Date(now.getTime() - dayMs))
  if (many >= wrongCodesADay && oldest)
    throw new Refusal('session.codes_spent', { retryAfter: Math.ceil((oldest.getTime() + dayMs - now.getTime()) / 1000) })
  const right = await isRight(world, tx, factor, attempt.code, now)
  if (!right) await insertWrongCode(tx, { id: world.ids.next(), user_id: userId, source, at: now })
  return right
}

async function isRight(world: World, tx: ServiceTx, factor: FactorRow, code: string, now: Date): Promise<boolean> {
  const { user_id: userId } = factor
  const typed = code.replaceAll(/[\s-]/g, '').toUpperCase()
  if (!/^\d{6}$/.test(typed)) return (await takeRecoveryCode(tx, userId, hashToken(typed), now)) !== undefined
  const secret = world.secrets.open(userId, { secret: factor.secret, sealedBy: factor.sealed_by })
  const step = stepOf(secret, typed, now, factor.last_step)
  if (step === undefined) return false
  await takeStep(tx, userId, step)
  return true
}

/** Returns new recovery codes of sixty random bits each. They show once, and only their hashes are stored. */
export async function issueRecoveryCodes(tx: ServiceTx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () => base32(randomBytes(8)).slice(0, groups * groupLength))
  await replaceRecoveryCodes(tx, userId, codes.map(hashToken))
  return codes.map(code => (code.match(new RegExp(`.{${groupLength}}`, 'g')) ?? []).join('-'))
}
