import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { roles } from '#common/session/roles.ts'
import { optionalText, pages, paging, reason, text } from './parts.ts'

const role = z.enum(Object.keys(roles) as [keyof typeof roles, ...(keyof typeof roles)[]])

const membership = z.object({
  uuid: z.uuid(),
  brandName: z.string(),
  suspended: z.boolean(),
  roles: z.array(z.string()),
  active: z.boolean(),
  /** By the unit itself, and has not accepted: left out in a change, the invitation is closed. */
  invited: z.boolean(),
})

const user = {
  uuid: z.uuid(),
  name: z.string(),
  email: z.string(),
  active: z.boolean(),
  administrator: z.boolean(),
  createdAt: z.string(),
  lastSeenAt: z.nullable(z.string()),
  /** How many that have not ended. */
  sessions: z.number(),
  businessUnits: z.array(membership),
}

export const userDetail = z.object({
  ...user,
  /** Sent back with a change: whoever changed him meanwhile is not overwritten. */
  version: z.string(),
  twoFactor: z.boolean(),
  openSessions: z.array(
    z.object({ uuid: z.uuid(), network: z.string(), userAgent: z.string(), createdAt: z.string(), lastSeenAt: z.string() }),
  ),
})

const memberships = z
  .array(
    z.strictObject({
      uuid: z.uuid(),
      roles: z.array(role).check(z.minLength(1), z.maxLength(4)),
      active: z.boolean(),
    }),
  )
  .check(z.maxLength(200))

export const listUsers = {
  summary: 'Users of all business units, by name, e-mail or unit',
  ask: z.strictObject({
    ...paging,
    searchData: z.optional(optionalText(200)),
    businessUnitUuid: z.optional(z.uuid()),
    state: z.optional(z.enum(['active', 'suspended', 'administrator'])),
  }),
  answer: z.object({ ...pages, users: z.array(z.object(user)) }),
} satisfies CallSchemas

export const viewUser = {
  summary: 'One user, with units, roles and open sessions',
  ask: z.strictObject({ uuid: z.uuid() }),
  answer: userDetail,
} satisfies CallSchemas

export const createUser = {
  summary: 'A new user with units and roles; the first unit invites by mail to choose a password',
  ask: z.strictObject({ name: text(120), email: text(254), businessUnits: memberships.check(z.minLength(1)) }),
  answer: userDetail,
} satisfies CallSchemas

export const changeUser = {
  summary: 'Change a user: name, units and roles; suspended, nothing of him stays signed in',
  ask: z.strictObject({
    uuid: z.uuid(),
    version: text(64),
    name: text(120),
    active: z.boolean(),
    administrator: z.boolean(),
    businessUnits: memberships,
    reason: z.optional(reason),
  }),
  answer: userDetail,
} satisfies CallSchemas

export const endUserSessions = {
  summary: 'End all sessions of a user, or the one that is named',
  ask: z.strictObject({ uuid: z.uuid(), sessionUuid: z.optional(z.uuid()) }),
  answer: z.object({ ended: z.number() }),
} satisfies CallSchemas

export const resetTwoFactor = {
  summary: 'For a user who has lost telephone and recovery codes, whatever units he works for: he is told by mail, and sets it up anew',
  ask: z.strictObject({ uuid: z.uuid(), reason }),
  answer: userDetail,
} satisfies CallSchemas
