import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { locales } from '#common/kit/locales.ts'
import { sessionUser } from './schemas.ts'

/** What somebody does with his own account (issue 7, My profile), and how an invitation is accepted. */

const nothing = z.strictObject({})
const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most))
/** As everywhere: long enough, and of any kind. */
const newPassword = z.string().check(z.minLength(12), z.maxLength(1024))
const device = z.object({ browser: z.string(), system: z.string(), kind: z.enum(['computer', 'phone', 'other']) })
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const updateMe = {
  summary: 'Change the own name, language or density; what is left out stays',
  ask: z.strictObject({
    name: z.optional(text(100)),
    locale: z.optional(z.nullable(z.enum(locales))),
    density: z.optional(z.nullable(z.enum(['comfortable', 'compact']))),
  }),
  answer: sessionUser,
} satisfies CallSchemas

export const changePassword = {
  summary: 'Choose another password, knowing the present one; every other session ends',
  ask: z.strictObject({ current: text(1024), password: newPassword }),
  answer: z.object({ changed: z.literal(true) }),
} satisfies CallSchemas

export const mySessions = {
  summary: 'Where one is signed in: device, network, since when and last used',
  ask: z.object({}),
  answer: z.object({
    sessions: z.array(
      z.object({ uuid: z.uuid(), device, network: z.string(), createdAt: z.string(), lastSeenAt: z.string(), current: z.boolean() }),
    ),
  }),
} satisfies CallSchemas

const ended = z.object({ ended: z.number() })

export const endMySession = {
  summary: 'End one of the own sessions',
  ask: z.strictObject({ uuid: z.uuid() }),
  answer: ended,
} satisfies CallSchemas

export const endMyOtherSessions = {
  summary: 'End every own session but this one',
  ask: nothing,
  answer: ended,
} satisfies CallSchemas

export const twoFactor = {
  summary: 'Whether codes are asked for at sign-in, whether a business unit wants that, and how many recovery codes are left',
  ask: z.object({}),
  answer: z.object({ on: z.boolean(), since: z.nullable(z.string()), required: z.boolean(), recoveryCodesLeft: z.number() }),
} satisfies CallSchemas

export const beginTwoFactor = {
  summary: 'Begin with codes at sign-in: a secret for the app on the telephone. It counts once a code has confirmed it',
  ask: z.strictObject({ password: text(1024) }),
  answer: z.object({ secret: z.string(), uri: z.string() }),
} satisfies CallSchemas

export const confirmTwoFactor = {
  summary: 'Confirm with a first code: from now on one is asked for at sign-in. Gives the recovery codes, and ends every other session',
  ask: z.strictObject({ code: text(40) }),
  answer: recoveryCodes,
} satisfies CallSchemas

export const newRecoveryCodes = {
  summary: 'New recovery codes in place of the old ones',
  ask: z.strictObject({ code: text(40) }),
  answer: recoveryCodes,
} satisfies CallSchemas

export const endTwoFactor = {
  summary: 'No codes at sign-in any more, where no business unit wants them',
  ask: z.strictObject({ password: text(1024), code: text(40) }),
  answer: z.object({ on: z.literal(false) }),
} satisfies CallSchemas

export const invitation = {
  summary: 'What an invitation’s link is good for: who invites whom, and whether a password is still to be chosen',
  ask: z.strictObject({ token: text(200) }),
  answer: z.object({ brandName: z.string(), name: z.string(), email: z.string(), choosesPassword: z.boolean() }),
} satisfies CallSchemas

export const acceptInvitation = {
  summary: 'Accept an invitation, with a password for whoever has none yet',
  ask: z.strictObject({ token: text(200), password: z.optional(newPassword) }),
  answer: z.object({ email: z.string() }),
} satisfies CallSchemas
