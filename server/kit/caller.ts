import type { Locale } from '#common/kit/locales.ts'
import type { Permission } from '#common/kit/permissions.ts'
import type { AllUnits, Scope } from './scope.ts'

/** The signed-in user behind a request; `unit` is there when the request named one of his own. */
export type Caller = {
  userId: string
  name: string
  email: string
  sessionId: string
  /** What the request carried; the unit tokens follow from it. Never stored, never logged. */
  accessToken: string
  unit?: CallerUnit
  /** There for a call of the administration. */
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
