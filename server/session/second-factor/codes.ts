import { randomBytes } from 'node:crypto'
import { Refusal } from '#common/kit/refusals.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { hashToken } from '#server/session/tokens.ts'
import {
  type FactorRow,
  findFactor,
  holdFactor,
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

/** What the second factor says of a sign-in: none is asked for, one is wanted, or one was given that was right or wrong. */
export type Passed = 'none' | 'wanted' | 'right' | 'wrong'

export async function passSecondFactor(
  world: World,
  tx: ServiceTx,
  { userId, code, source }: { userId: string; code: string | undefined; source: string },
): Promise<Passed> {
  const factor = await findFactor(tx, userId)
  if (!factor?.confirmed_at) return 'none'
  if (code === undefined) return 'wanted'
  return (await takeCode(world, tx, { userId, code, source })) ? 'right' : 'wrong'
}

type Given = { userId: string; code: string; source: string }

/**
 * The app's code, or one of the recovery codes: each is taken once, and never again (B31). After twenty wrong ones within a day no more of
 * that source are looked at; the factor is held meanwhile, so that many at once do not slip through.
 */
export async function takeCode(world: World, tx: ServiceTx, given: Given): Promise<boolean> {
  const { userId, source } = given
  const now = world.clock.now()
  const factor = await holdFactor(tx, userId)
  if (!factor) return false
  const { many, oldest } = await wrongCodesOf(tx, userId, source, new Date(now.getTime() - dayMs))
  if (many >= wrongCodesADay && oldest)
    throw new Refusal('session.codes_spent', { retryAfter: Math.ceil((oldest.getTime() + dayMs - now.getTime()) / 1000) })
  const right = await isRight(world, tx, factor, given.code, now)
  if (!right) await insertWrongCode(tx, { id: world.ids.next(), user_id: userId, source, at: now })
  return right
}

async function isRight(world: World, tx: ServiceTx, factor: FactorRow, code: string, now: Date): Promise<boolean> {
  const { user_id: userId } = factor
  const given = code.replaceAll(/[\s-]/g, '').toUpperCase()
  if (!/^\d{6}$/.test(given)) return (await takeRecoveryCode(tx, userId, hashToken(given), now)) !== undefined
  const secret = world.secrets.open(userId, { secret: factor.secret, sealedBy: factor.sealed_by })
  const step = stepOf(secret, given, now, factor.last_step)
  if (step === undefined) return false
  await takeStep(tx, userId, step)
  return true
}

/** Shown once; what is kept are their hashes. Sixty random bits each. */
export async function giveRecoveryCodes(tx: ServiceTx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () => base32(randomBytes(8)).slice(0, groups * groupLength))
  await replaceRecoveryCodes(tx, userId, codes.map(hashToken))
  return codes.map(code => (code.match(new RegExp(`.{${groupLength}}`, 'g')) ?? []).join('-'))
}
