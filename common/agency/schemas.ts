import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { locales } from '#common/kit/locales.ts'
import { roles } from '#common/session/roles.ts'
import { logoBytes } from './logo.ts'

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most))

const address = { street: z.string(), zipCode: z.string(), city: z.string(), state: z.string(), country: z.number() }
const contactInfo = { email: z.string(), phone: z.string() }
const billingInfo = { iban: z.string(), email: z.string() }

/** The settings' fields that an agency may see of itself; the first four it may change, the rest is managed by the insurer. */
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
  /** Sent back with a change: what somebody else has changed meanwhile is not overwritten. */
  version: z.string(),
})

export const agency = {
  summary: 'The profile of the agency: what it may see of its settings',
  ask: z.object({}),
  answer: agencyProfile,
} satisfies CallSchemas

/** The length of the largest logo in base64. */
const logoText = Math.ceil((logoBytes * 4) / 3) + 100

export const updateAgency = {
  summary:
    'Change address, contacts, billing or logo (a data: URL of png, svg or webp); what is left out stays. 409 when somebody was faster',
  bodyLimit: logoText + 16_384,
  ask: z.strictObject({
    version: z.optional(text(60)),
    address: z.optional(z.strictObject(address)),
    contactInfo: z.optional(z.strictObject(contactInfo)),
    billingInfo: z.optional(z.strictObject(billingInfo)),
    logo: z.optional(text(logoText)),
  }),
  answer: agencyProfile,
} satisfies CallSchemas

/** One field that was changed; a logo's contents are not told. */
const change = z.object({ field: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })
export type ProfileChange = z.output<typeof change>

export const agencyChanges = {
  summary: 'Who changed what of the profile, and when; the newest first',
  ask: z.object({}),
  answer: z.object({ changes: z.array(z.object({ at: z.string(), who: z.string(), fields: z.array(change) })) }),
} satisfies CallSchemas

const roleNames = Object.keys(roles) as [keyof typeof roles, ...(keyof typeof roles)[]]
const givenRoles = z.array(z.enum(roleNames)).check(z.minLength(1), z.maxLength(roleNames.length))

const agencyUser = z.object({
  uuid: z.uuid(),
  name: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  active: z.boolean(),
  /** Whoever is invited is no member before he accepts. */
  state: z.enum(['active', 'suspended', 'invited']),
  invitedAt: z.nullable(z.string()),
  /** Null where it is not this agency's business: of a user who works for another one, too. */
  lastSignInAt: z.nullable(z.string()),
  sessions: z.nullable(z.number()),
  twoFactor: z.boolean(),
  /** Whether this is whoever asks, and whether he may change this user. */
  self: z.boolean(),
  changeable: z.boolean(),
})
export type AgencyUser = z.output<typeof agencyUser>

export const agencyUsers = {
  summary: 'The users of the agency with roles and last sign-in, and the roles that whoever asks may give',
  ask: z.object({}),
  answer: z.object({ users: z.array(agencyUser), assignable: z.array(z.enum(roleNames)) }),
} satisfies CallSchemas

export const inviteUser = {
  summary: 'Invite somebody: he gets a mail with a link, and belongs to the agency when he has accepted',
  ask: z.strictObject({ name: text(100), email: text(254), roles: givenRoles, active: z.optional(z.literal(true)) }),
  answer: agencyUser,
} satisfies CallSchemas

export const updateUser = {
  summary: 'Change name or roles of a user, or suspend him; what is left out stays. His e-mail address is his own',
  ask: z.strictObject({
    uuid: z.uuid(),
    name: z.optional(text(100)),
    email: z.optional(text(254)),
    roles: z.optional(givenRoles),
    active: z.optional(z.boolean()),
  }),
  answer: agencyUser,
} satisfies CallSchemas

export const inviteAgain = {
  summary: 'Send an open invitation again; the link that was sent before leads nowhere any more',
  ask: z.strictObject({ uuid: z.uuid() }),
  answer: agencyUser,
} satisfies CallSchemas

export const withdrawInvitation = {
  summary: 'Withdraw an open invitation',
  ask: z.strictObject({ uuid: z.uuid() }),
  answer: z.object({ withdrawn: z.literal(true) }),
} satisfies CallSchemas

export const endUserSessions = {
  summary: 'End every session of a user',
  ask: z.strictObject({ uuid: z.uuid() }),
  answer: z.object({ ended: z.nullable(z.number()) }),
} satisfies CallSchemas

export const resetUserTwoFactor = {
  summary: 'For a user who has lost telephone and recovery codes: he signs in with the password alone, and sets it up anew',
  ask: z.strictObject({ uuid: z.uuid() }),
  answer: agencyUser,
} satisfies CallSchemas
