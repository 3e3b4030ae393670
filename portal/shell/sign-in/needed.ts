import { Refused } from '#portal/kit/ask.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'

/** True if the error means that no user is signed in, or that the user has no unit. */
export const isSignedOut = (error: unknown): boolean =>
  (error instanceof Refused && error.failure.code === 401) || isRefusedAs(error, 'session.unit_token')

export const needsTwoFactor = (error: unknown): boolean => isRefusedAs(error, 'session.two_factor_needed')
