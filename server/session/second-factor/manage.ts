import { randomBytes } from 'node:crypto'
import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/session/account-calls.ts'
import type { Caller } from '#server/kit/caller.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/audit.ts'
import { onlyWithPasswords } from '#server/session/external/kind.ts'
import { notifyAccessChange } from '#server/session/profile/access-notices.ts'
import { demandCode, demandPassword } from '#server/session/profile/demand.ts'
import { requiresTwoFactor, endSessionsOf } from '#server/session/queries.ts'
import { issueRecoveryCodes, takeCode } from './codes.ts'
import { sourceOfSession } from './devices.ts'
import { confirmFactor, dropFactor, findFactor, proposeFactor, recoveryCodesLeft } from './queries.ts'
import { base32, otpauthUri } from './totp.ts'

const issuer = 'Portolan'
const secretBytes = 20

export const twoFactor =
  (world: World): Handler<typeof calls.twoFactor> =>
  async ({ caller: { userId } }) => {
    onlyWithPasswords(world.config)
    return world.database.asService(async tx => {
      const factor = await findFactor(tx, userId)
      return {
        on: Boolean(factor?.confirmed_at),
        since: factor?.confirmed_at?.toISOString() ?? null,
        required: await requiresTwoFactor(tx, userId),
        recoveryCodesLeft: factor?.confirmed_at ? await recoveryCodesLeft(tx, userId) : 0,
      }
    })
  }

/** Proposes a secret to confirm. It needs the password, so that strangers in an open session cannot add their own phone. */
export const beginTwoFactor =
  (world: World): Handler<typeof calls.beginTwoFactor> =>
  async input => {
    onlyWithPasswords(world.config)
    await demandPassword(world, input, { path: 'password', password: input.ask.password }, 'session.two_factor_begin')
    const secret = randomBytes(secretBytes)
    const { userId, email } = input.caller
    const proposed = await world.database.asService(tx =>
      proposeFactor(tx, userId, world.secrets.seal(userId, secret), world.realTime.now()),
    )
    if (!proposed) throw new Refusal('session.two_factor_on')
    return { secret: base32(secret), uri: otpauthUri(secret, email, issuer) }
  }

const attemptOf = ({ ask: { code }, caller: { userId, sessionId } }: { ask: { code: string }; caller: Caller }) => ({
  userId,
  code,
  source: sourceOfSession(sessionId),
})

export const confirmTwoFactor =
  (world: World): Handler<typeof calls.confirmTwoFactor> =>
  async input => {
    onlyWithPasswords(world.config)
    const { userId, sessionId } = input.caller
    const now = world.realTime.now()
    const confirmed = await demandCode(world, input, 'session.two_factor_on', async tx => {
      const factor = await findFactor(tx, userId)
      if (!factor) throw new Refusal('session.two_factor_off')
      if (factor.confirmed_at) throw new Refusal('session.two_factor_on')
      if (!/^\s*\d{3}\s?\d{3}\s*$/.test(input.ask.code) || !(await takeCode(world, tx, attemptOf(input)))) return undefined
      await confirmFactor(tx, userId, now)
      await endSessionsOf(tx, userId, now, sessionId)
      await audit(world, tx, input, { action: 'session.two_factor_on', outcome: 'done', object: userId })
      await notifyAccessChange(world, tx, input, userId, 'two_factor_on')
      return { recoveryCodes: await issueRecoveryCodes(tx, userId) }
    })
    return confirmed
  }

export const newRecoveryCodes =
  (world: World): Handler<typeof calls.newRecoveryCodes> =>
  async input => {
    onlyWithPasswords(world.config)
    const { userId } = input.caller
    return demandCode(world, input, 'session.recovery_codes', async tx => {
      if (!(await findFactor(tx, userId))?.confirmed_at) throw new Refusal('session.two_factor_off')
      if (!(await takeCode(world, tx, attemptOf(input)))) return undefined
      await audit(world, tx, input, { action: 'session.recovery_codes', outcome: 'done', object: userId })
      await notifyAccessChange(world, tx, input, userId, 'recovery_codes')
      return { recoveryCodes: await issueRecoveryCodes(tx, userId) }
    })
  }

export const endTwoFactor =
  (world: World): Handler<typeof calls.endTwoFactor> =>
  async input => {
    onlyWithPasswords(world.config)
    await demandPassword(world, input, { path: 'password', password: input.ask.password }, 'session.two_factor_off')
    const { userId } = input.caller
    return demandCode(world, input, 'session.two_factor_off', async tx => {
      if (!(await findFactor(tx, userId))?.confirmed_at) throw new Refusal('session.two_factor_off')
      if (await requiresTwoFactor(tx, userId)) throw new Refusal('session.two_factor_required')
      if (!(await takeCode(world, tx, attemptOf(input)))) return undefined
      await dropFactor(tx, userId)
      await audit(world, tx, input, { action: 'session.two_factor_off', outcome: 'done', object: userId })
      await notifyAccessChange(world, tx, input, userId, 'two_factor_off')
      return { on: false as const }
    })
  }
