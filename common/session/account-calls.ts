import * as z from 'zod/mini'
import { call } from '#common/kit/call.ts'
import { locales } from '#common/kit/locales.ts'
import { sessionUser } from './calls.ts'
import { device } from './device.ts'

/** What somebody does with his own account (issue 7, My profile), and how an invitation is accepted. */

const nothing = z.strictObject({})
const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most))
/** As everywhere: long enough, and of any kind. */
const newPassword = z.string().check(z.minLength(12), z.maxLength(1024))
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const updateMe = call({
  method: 'PUT',
  path: '/api/users/me',
  summary: 'Change the own name, language or density; what is left out stays',
  needs: 'session',
  ask: z.strictObject({
    name: z.optional(text(100)),
    locale: z.optional(z.nullable(z.enum(locales))),
    density: z.optional(z.nullable(z.enum(['comfortable', 'compact']))),
  }),
  answer: sessionUser,
})

export const changePassword = call({
  method: 'PUT',
  path: '/api/users/me/password',
  summary: 'Choose another password, knowing the present one; every other session ends',
  needs: 'session',
  ask: z.strictObject({ current: text(1024), password: newPassword }),
  answer: z.object({ changed: z.literal(true) }),
})

export const mySessions = call({
  method: 'GET',
  path: '/api/users/me/sessions',
  summary: 'Where one is signed in: device, network, since when and last used',
  needs: 'session',
  ask: z.object({}),
  answer: z.object({
    sessions: z.array(
      z.object({ uuid: z.uuid(), device, network: z.string(), createdAt: z.string(), lastSeenAt: z.string(), current: z.boolean() }),
    ),
  }),
})

const ended = z.object({ ended: z.number() })

export const endMySession = call({
  method: 'DELETE',
  path: '/api/users/me/sessions/{uuid}',
  summary: 'End one of the own sessions',
  needs: 'session',
  ask: z.strictObject({ uuid: z.uuid() }),
  answer: ended,
})

export const endMyOtherSessions = call({
  method: 'DELETE',
  path: '/api/users/me/sessions',
  summary: 'End every own session but this one',
  needs: 'session',
  ask: nothing,
  answer: ended,
})

export const twoFactor = call({
  method: 'GET',
  path: '/api/users/me/two-factor',
  summary: 'Whether codes are asked for at sign-in, whether a business unit wants that, and how many recovery codes are left',
  needs: 'session',
  ask: z.object({}),
  answer: z.object({ on: z.boolean(), since: z.nullable(z.string()), required: z.boolean(), recoveryCodesLeft: z.number() }),
})

export const beginTwoFactor = call({
  method: 'POST',
  path: '/api/users/me/two-factor',
  summary: 'Begin with codes at sign-in: a secret for the app on the telephone. It counts once a code has confirmed it',
  needs: 'session',
  ask: z.strictObject({ password: text(1024) }),
  answer: z.object({ secret: z.string(), uri: z.string() }),
})

export const confirmTwoFactor = call({
  method: 'POST',
  path: '/api/users/me/two-factor/confirm',
  summary: 'Confirm with a first code: from now on one is asked for at sign-in. Gives the recovery codes, and ends every other session',
  needs: 'session',
  ask: z.strictObject({ code: text(40) }),
  answer: recoveryCodes,
})

export const newRecoveryCodes = call({
  method: 'POST',
  path: '/api/users/me/two-factor/recovery-codes',
  summary: 'New recovery codes in place of the old ones',
  needs: 'session',
  ask: z.strictObject({ code: text(40) }),
  answer: recoveryCodes,
})

export const endTwoFactor = call({
  method: 'DELETE',
  path: '/api/users/me/two-factor',
  summary: 'No codes at sign-in any more, where no business unit wants them',
  needs: 'session',
  ask: z.strictObject({ password: text(1024), code: text(40) }),
  answer: z.object({ on: z.literal(false) }),
})

export const invitation = call({
  method: 'POST',
  path: '/api/auth/invitation',
  summary: 'What an invitation’s link is good for: who invites whom, and whether a password is still to be chosen',
  needs: 'nothing',
  ask: z.strictObject({ token: text(200) }),
  answer: z.object({ brandName: z.string(), name: z.string(), email: z.string(), choosesPassword: z.boolean() }),
})

export const acceptInvitation = call({
  method: 'POST',
  path: '/api/auth/invitation/accept',
  summary: 'Accept an invitation, with a password for whoever has none yet',
  needs: 'nothing',
  ask: z.strictObject({ token: text(200), password: z.optional(newPassword) }),
  answer: z.object({ email: z.string() }),
})
