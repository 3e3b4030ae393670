import type { Locale } from '#common/kit/locales.ts'
import { narrowedToOwn, type Permission } from '#common/kit/permissions.ts'
import type { AllUnits, Scope } from './scope.ts'

/** The signed-in user behind a request. `unit` is present if the request named a unit that the user belongs to. */
export type Caller = {
  userId: string
  name: string
  email: string
  sessionId: string
  /** The request's access token, from which the unit tokens are derived. Never stored, never logged. */
  accessToken: string
  unit?: CallerUnit
  /** Present for calls of the administration. */
  allUnits?: AllUnits
}

type CallerUnit = {
  scope: Scope
  locale: Locale
  roles: string[]
  permissions: readonly Permission[]
}

export type CallerInUnit = Caller & { unit: CallerUnit }

export type CallerAcrossUnits = Caller & { allUnits: AllUnits }

/** The part of a caller that decides what the caller sees. */
export type Viewer = Pick<CallerInUnit, 'userId'> & { unit: Pick<CallerInUnit['unit'], 'permissions'> }

/** Returns the caller's id if the caller sees only own sales and their earnings, else undefined. */
export const ownOnly = ({ userId, unit }: Viewer): string | undefined => (narrowedToOwn(unit.permissions) ? userId : undefined)
