import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most))
const locale = z.enum(['en-EN', 'es-ES', 'fr-FR', 'it-IT', 'pt-PT'])

/** The session user of spec 3. */
export const sessionUser = z.object({
  uuid: z.uuid(),
  name: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  permissions: z.array(z.string()),
  /** What he chose for himself in his profile; null leaves it to the business unit and the browser. */
  locale: z.nullable(locale),
  density: z.nullable(z.enum(['comfortable', 'compact'])),
  /** Whether a code is asked for when he signs in. */
  twoFactor: z.boolean(),
  /** Whether the administration is his, in whichever unit or in none. */
  administrator: z.boolean(),
  businessUnits: z.array(
    z.object({
      uuid: z.uuid(),
      name: z.string(),
      token: z.string(),
      /** Encrypts what the portal keeps in the browser for this user and unit. */
      browserKey: z.string(),
      locale,
      roles: z.array(z.string()),
      permissions: z.array(z.string()),
    }),
  ),
})

const nothing = z.strictObject({})

export const login = {
  summary: 'Check e-mail and password, and the code where one is wanted; gives the address of the callback that signs in',
  ask: z.strictObject({ email: text(320), password: text(1024), code: z.optional(text(40)), redirect: z.optional(z.unknown()) }),
  answer: z.object({ callback: z.string() }),
} satisfies CallSchemas

export const openSession = {
  summary: 'Exchange the one-time token of the callback for a session',
  ask: z.strictObject({ token: text(8192) }),
  answer: z.object({ accessToken: z.string(), email: z.string(), loggedIn: z.boolean(), user: sessionUser }),
} satisfies CallSchemas

export const endSession = {
  summary: 'Sign out: ends the session at the server and clears the cookie',
  ask: nothing,
  answer: z.object({ loggedIn: z.literal(false) }),
} satisfies CallSchemas

export const forgotPassword = {
  summary: 'Mail a link to choose a new password; the reply never tells whether the address is known',
  ask: z.strictObject({ email: text(320) }),
  answer: z.object({ sent: z.literal(true) }),
} satisfies CallSchemas

export const resetPassword = {
  summary: 'Choose a new password with the link of the mail; ends every session of that user',
  ask: z.strictObject({ token: text(200), password: z.string().check(z.minLength(12), z.maxLength(1024)) }),
  answer: z.object({ changed: z.literal(true) }),
} satisfies CallSchemas

export const usersMe = {
  summary: 'The signed-in user, with his business units and their tokens',
  ask: z.object({}),
  answer: sessionUser,
} satisfies CallSchemas
