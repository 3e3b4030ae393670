import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { byUuid, text } from '#common/kit/schemas/parts.ts'
import { allRoles } from '#common/session/roles.ts'
import { byUuidWithReason, optionalText, pages, paging, reason } from './parts.ts'

const role = z.enum(allRoles)

const membership = z.object({
  uuid: z.uuid(),
  brandName: z.string(),
  suspended: z.boolean(),
  roles: z.array(z.string()),
  active: z.boolean(),
  /** True if the unit has invited the user, who has not accepted. A change without this unit closes the invitation. */
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
  /** The number of open sessions. */
  sessions: z.number(),
  businessUnits: z.array(membership),
}

export const userDetail = z.object({
  ...user,
  /** Sent back with a change, so that no concurrent change is overwritten. */
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
  summary: 'Lists users of all business units by name, email or unit',
  request: z.strictObject({
    ...paging,
    searchData: z.optional(optionalText(200)),
    businessUnitUuid: z.optional(z.uuid()),
    state: z.optional(z.enum(['active', 'suspended', 'administrator'])),
  }),
  response: z.object({ ...pages, users: z.array(z.object(user)) }),
} satisfies CallSchemas

export const viewUser = {
  summary: 'Returns a user with units, roles and open sessions',
  request: byUuid,
  response: userDetail,
} satisfies CallSchemas

export const createUser = {
  summary: 'Creates a user with units and roles; the first unit’s email invites to choose a password',
  request: z.strictObject({ name: text(120), email: text(254), businessUnits: memberships.check(z.minLength(1)) }),
  response: userDetail,
} satisfies CallSchemas

export const changeUser = {
  summary: 'Changes name, units and roles of a user; a suspension ends all sessions',
  request: z.strictObject({
    uuid: z.uuid(),
    version: text(64),
    name: text(120),
    active: z.boolean(),
    administrator: z.boolean(),
    businessUnits: memberships,
    reason: z.optional(reason),
  }),
  response: userDetail,
} satisfies CallSchemas

export const endUserSessions = {
  summary: 'Ends all sessions of a user, or the named one',
  request: z.strictObject({ uuid: z.uuid(), sessionUuid: z.optional(z.uuid()) }),
  response: z.object({ ended: z.number() }),
} satisfies CallSchemas

export const resetTwoFactor = {
  summary: 'Resets the second factor of a user of any unit, and notifies the user by email',
  request: byUuidWithReason,
  response: userDetail,
} satisfies CallSchemas
