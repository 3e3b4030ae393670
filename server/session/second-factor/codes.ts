import { randomBytes } from 'node:crypto'
import type { Tx } from '#server/kit/database.ts'
import type { World } from '#server/kit/front.ts'
import { hashToken } from '#server/session/tokens.ts'
import { findFactor, holdFactor, replaceRecoveryCodes, takeRecoveryCode, takeStep } from './rows.ts'
import { base32, stepOf } from './totp.ts'

const recoveryCodes = 10
const groups = 3
const groupLength = 4

/** What the second factor says of a sign-in: none is asked for, one is wanted, or one was given that was right or wrong. */
export type Passed = 'none' | 'wanted' | 'right' | 'wrong'

export async function passSecondFactor(world: World, tx: Tx, userId: string, code: string | undefined): Promise<Passed> {
  const factor = await findFactor(tx, userId)
  if (!factor?.confirmed_at) return 'none'
  if (code === undefined) return 'wanted'
  return (await takeCode(world, tx, userId, code)) ? 'right' : 'wrong'
}

/** The app's code, or one of the recovery codes: each is taken once, and never again (B31). */
export async function takeCode(world: World, tx: Tx, userId: string, code: string): Promise<boolean> {
  const now = world.clock.now()
  const given = code.replaceAll(/[\s-]/g, '').toUpperCase()
  if (!/^\d{6}$/.test(given)) return (await takeRecoveryCode(tx, userId, hashToken(given), now)) !== undefined
  const factor = await holdFactor(tx, userId)
  if (!factor) return false
  const secret = world.secrets.open(userId, { secret: factor.secret, sealedBy: factor.sealed_by })
  const step = stepOf(secret, given, now, factor.last_step)
  if (step === undefined) return false
  await takeStep(tx, userId, step)
  return true
}

/** Shown once; what is kept are their hashes. Sixty random bits each. */
export async function giveRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () => base32(randomBytes(8)).slice(0, groups * groupLength))
  await replaceRecoveryCodes(tx, userId, codes.map(hashToken))
  return codes.map(code => (code.match(new RegExp(`.{${groupLength}}`, 'g')) ?? []).join('-'))
}
