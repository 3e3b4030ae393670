import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { byUuid, nothing, text } from '#common/kit/schemas/parts.ts'
import { locales } from '#common/kit/locales.ts'
import { sessionUser } from './schemas.ts'

/** Calls on the user's own account, and on accepting invitations. */

/** The same rule as everywhere: a minimum length, any characters. */
const newPassword = z.string().check(z.minLength(12), z.maxLength(1024))
const device = z.object({ browser: z.string(), system: z.string(), kind: z.enum(['computer', 'phone', 'other']) })
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const updateMe = {
  summary: 'Changes the user’s own name, language or density; omitted fields stay',
  request: z.strictObject({
    name: z.optional(text(100)),
    locale: z.optional(z.nullable(z.enum(locales))),
    density: z.optional(z.nullable(z.enum(['comfortable', 'compact']))),
  }),
  response: sessionUser,
} satisfies CallSchemas

export const changePassword = {
  summary: 'Changes the password, given the current one; every other session ends',
  request: z.strictObject({ current: text(1024), password: newPassword }),
  response: z.object({ changed: z.literal(true) }),
} satisfies CallSchemas

export const mySessions = {
  summary: 'Lists the user’s sessions with device, network, start and last use',
  request: z.object({}),
  response: z.object({
    sessions: z.array(
      z.object({ uuid: z.uuid(), device, network: z.string(), createdAt: z.string(), lastSeenAt: z.string(), current: z.boolean() }),
    ),
  }),
} satisfies CallSchemas

const ended = z.object({ ended: z.number() })

export const endMySession = {
  summary: 'Ends one of the user’s own sessions',
  request: byUuid,
  response: ended,
} satisfies CallSchemas

export const endMyOtherSessions = {
  summary: 'Ends every session of the user but this one',
  request: nothing,
  response: ended,
} satisfies CallSchemas

export const twoFactor = {
  summary: 'Returns if sign-in needs codes, if a unit requires them, and how many recovery codes are left',
  request: z.object({}),
  response: z.object({ on: z.boolean(), since: z.nullable(z.string()), required: z.boolean(), recoveryCodesLeft: z.number() }),
} satisfies CallSchemas

export const beginTwoFactor = {
  summary: 'Creates a secret for the authenticator app. It counts once a code has confirmed it',
  request: z.strictObject({ password: text(1024) }),
  response: z.object({ secret: z.string(), uri: z.string() }),
} satisfies CallSchemas

export const confirmTwoFactor = {
  summary: 'Confirms the second factor with a code. Returns recovery codes and ends every other session',
  request: z.strictObject({ code: text(40) }),
  response: recoveryCodes,
} satisfies CallSchemas

export const newRecoveryCodes = {
  summary: 'Replaces the recovery codes',
  request: z.strictObject({ code: text(40) }),
  response: recoveryCodes,
} satisfies CallSchemas

export const endTwoFactor = {
  summary: 'Turns the second factor off, if no business unit requires it',
  request: z.strictObject({ password: text(1024), code: text(40) }),
  response: z.object({ on: z.literal(false) }),
} satisfies CallSchemas

export const invitation = {
  summary: 'Returns who invites whom by a link, and if the invitee needs a password',
  request: z.strictObject({ token: text(200) }),
  response: z.object({ brandName: z.string(), name: z.string(), email: z.string(), choosesPassword: z.boolean() }),
} satisfies CallSchemas

export const acceptInvitation = {
  summary: 'Accepts an invitation, with a password if the invitee has none',
  request: z.strictObject({ token: text(200), password: z.optional(newPassword) }),
  response: z.object({ email: z.string() }),
} satisfies CallSchemas
