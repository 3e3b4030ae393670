import * as z from 'zod/mini'
import { basisPointsOf } from '#common/accounting/shares.ts'
import type { CallSchemas } from '#common/kit/call.ts'
import { byUuid, text } from '#common/kit/schemas/parts.ts'
import { locales } from '#common/kit/locales.ts'
import { allRoles } from '#common/session/roles.ts'
import { logoBytes } from './profile.ts'

const address = { street: z.string(), zipCode: z.string(), city: z.string(), state: z.string(), country: z.number() }
const contactInfo = { email: z.string(), phone: z.string() }
const billingInfo = { iban: z.string(), email: z.string() }

/** The settings that an agency may see. It may change the first four; the insurer manages the others. */
const agencyProfile = z.object({
  address: z.object(address),
  contactInfo: z.object(contactInfo),
  billingInfo: z.object(billingInfo),
  logo: z.string(),
  brandName: z.string(),
  legalName: z.string(),
  taxId: z.string(),
  managementGroup: z.string(),
  supportEmail: z.string(),
  locale: z.enum(locales),
  country: z.number(),
  timeZone: z.string(),
  currency: z.string(),
  twoFactorRequired: z.boolean(),
  /** Sent back with a change, so that no concurrent change is overwritten. */
  version: z.string(),
})

export const agency = {
  summary: 'Returns the profile of the agency: the settings that it may see',
  request: z.object({}),
  response: agencyProfile,
} satisfies CallSchemas

/** The maximum length of a logo in base64, in characters. */
const logoText = Math.ceil((logoBytes * 4) / 3) + 100

export const updateAgency = {
  summary:
    'Changes address, contacts, billing or logo (a data: URL of png, svg or webp). Omitted fields stay. 409 after a concurrent change',
  bodyLimit: logoText + 16_384,
  request: z.strictObject({
    version: z.optional(text(60)),
    address: z.optional(z.strictObject(address)),
    contactInfo: z.optional(z.strictObject(contactInfo)),
    billingInfo: z.optional(z.strictObject(billingInfo)),
    logo: z.optional(text(logoText)),
  }),
  response: agencyProfile,
} satisfies CallSchemas

/** One changed field. The contents of a logo are left out. */
const change = z.object({ field: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })
export type ProfileChange = z.output<typeof change>

export const agencyChanges = {
  summary: 'Lists changes of the profile with user and time; the newest first',
  request: z.object({}),
  response: z.object({ changes: z.array(z.object({ at: z.string(), who: z.string(), fields: z.array(change) })) }),
} satisfies CallSchemas

const givenRoles = z.array(z.enum(allRoles)).check(z.minLength(1), z.maxLength(allRoles.length))

const agencyUser = z.object({
  uuid: z.uuid(),
  name: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  active: z.boolean(),
  /** Invitees become members when they accept. */
  state: z.enum(['active', 'suspended', 'invited']),
  invitedAt: z.nullable(z.string()),
  /** Null if the user also works for another agency. */
  lastSignInAt: z.nullable(z.string()),
  sessions: z.nullable(z.number()),
  twoFactor: z.boolean(),
  /** The user's percentage of the commission; null without one, and for callers who may not change users. */
  commissionShare: z.nullable(z.number()),
  /** True if this user is the caller. Also says if the caller may change this user. */
  self: z.boolean(),
  changeable: z.boolean(),
})
export type AgencyUser = z.output<typeof agencyUser>

export const agencyUsers = {
  summary: 'Lists the agency’s users with roles and last sign-in, and the roles the caller may grant',
  request: z.object({}),
  response: z.object({ users: z.array(agencyUser), assignable: z.array(z.enum(allRoles)) }),
} satisfies CallSchemas

export const inviteUser = {
  summary: 'Invites a user by an email with a link; the invitee becomes a member on acceptance',
  request: z.strictObject({ name: text(100), email: text(254), roles: givenRoles, active: z.optional(z.literal(true)) }),
  response: agencyUser,
} satisfies CallSchemas

export const updateUser = {
  summary:
    'Changes name, roles or share of the commission of a user, or suspends the user. Omitted fields stay. Only the user changes the email address',
  request: z.strictObject({
    uuid: z.uuid(),
    name: z.optional(text(100)),
    email: z.optional(text(254)),
    roles: z.optional(givenRoles),
    active: z.optional(z.boolean()),
    /** Valid from this month on; null ends it. */
    commissionShare: z.optional(
      z.nullable(
        z.number().check(
          z.gte(0),
          z.lte(100),
          z.refine(share => basisPointsOf(share) !== undefined),
        ),
      ),
    ),
  }),
  response: agencyUser,
} satisfies CallSchemas

export const inviteAgain = {
  summary: 'Sends an open invitation again; the earlier link stops working',
  request: byUuid,
  response: agencyUser,
} satisfies CallSchemas

export const withdrawInvitation = {
  summary: 'Revokes an open invitation',
  request: byUuid,
  response: z.object({ withdrawn: z.literal(true) }),
} satisfies CallSchemas

export const endUserSessions = {
  summary: 'Ends every session of a user',
  request: byUuid,
  response: z.object({ ended: z.nullable(z.number()) }),
} satisfies CallSchemas

export const resetUserTwoFactor = {
  summary: 'Resets a user’s second factor; the password alone signs in until a new one is set up',
  request: byUuid,
  response: agencyUser,
} satisfies CallSchemas
