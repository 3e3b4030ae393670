import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { locales } from '#common/kit/locales.ts'
import { nothing, text } from '#common/kit/schemas/parts.ts'

const locale = z.enum(locales)

/** The session user (spec 3). */
export const sessionUser = z.object({
  uuid: z.uuid(),
  name: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  permissions: z.array(z.string()),
  /** The language chosen in the user's profile. If null, the business unit and the browser decide. */
  locale: z.nullable(locale),
  density: z.nullable(z.enum(['comfortable', 'compact'])),
  /** True if the user's sign-in needs a code. */
  twoFactor: z.boolean(),
  /** True if the user is an administrator, in any unit or in none. */
  administrator: z.boolean(),
  businessUnits: z.array(
    z.object({
      uuid: z.uuid(),
      name: z.string(),
      token: z.string(),
      /** The key that encrypts the portal's data of this user and unit in the browser. */
      browserKey: z.string(),
      locale,
      roles: z.array(z.string()),
      permissions: z.array(z.string()),
    }),
  ),
})

export const login = {
  summary: 'Checks email, password and, if required, the code; returns the callback URL that signs in',
  request: z.strictObject({ email: text(320), password: text(1024), code: z.optional(text(40)), redirect: z.optional(z.unknown()) }),
  response: z.object({ callback: z.string() }),
} satisfies CallSchemas

export const openSession = {
  summary: 'Exchanges the one-time token of the callback for a session',
  request: z.strictObject({ token: text(8192) }),
  response: z.object({ accessToken: z.string(), email: z.string(), loggedIn: z.boolean(), user: sessionUser }),
} satisfies CallSchemas

export const endSession = {
  summary: 'Signs out: ends the session on the server and clears the cookie',
  request: nothing,
  response: z.object({ loggedIn: z.literal(false) }),
} satisfies CallSchemas

export const forgotPassword = {
  summary: 'Emails a link to choose a new password; the response does not reveal if the address is known',
  request: z.strictObject({ email: text(320) }),
  response: z.object({ sent: z.literal(true) }),
} satisfies CallSchemas

export const resetPassword = {
  summary: 'Sets a new password with the emailed link; ends every session of that user',
  request: z.strictObject({ token: text(200), password: z.string().check(z.minLength(12), z.maxLength(1024)) }),
  response: z.object({ changed: z.literal(true) }),
} satisfies CallSchemas

export const usersMe = {
  summary: 'Returns the signed-in user with business units and their tokens',
  request: z.object({}),
  response: sessionUser,
} satisfies CallSchemas
