import type { Reply } from '#common/kit/call.ts'
import { home } from '#common/session/redirect.ts'
import { firstPayload, payloadOf } from '#common/shell/calls.ts'
import type { RoutePath } from '#common/shell/routes.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { accents, showAccent } from '#portal/kit/ui/appearance.ts'
import { logOnly } from '#portal/kit/log.ts'
import { openStores, resetStores } from '#portal/kit/stores.ts'
import { useSettings } from '#portal/business-unit/settings.ts'
import { useProducts } from '#portal/products/store.ts'
import { isShownElsewhere, showSession, shutSession } from '#portal/session/sign-out.ts'
import { eraNow, holdSession, unitOf, useSession } from '#portal/session/session.ts'
import { followUnit } from '#portal/kit/language.ts'
import { localeNow } from '#portal/kit/words.tsx'

let begun = false
/** What the page's head asked for is whose the page was loaded for: it is taken once, at the very first. */
let isAhead = true
/** Whether there may be somebody: who opened the page with a session's cookie, or has signed in since, here or in another tab. */
let expected = document.querySelector('meta[name=portolan-session]') !== null

export const hasBegun = (): boolean => begun

/** Another sign-in, or none any more: everything is asked for anew, if there is somebody. */
export function beginAgain(somebody: boolean): void {
  begun = false
  expected = somebody
}

/**
 * spec 1: settings and products are there before any page is shown; one reply brings them and the user. False when nobody is signed in,
 * or somebody who belongs to no unit (spec 8): then nothing of an earlier session can be read.
 */
export async function begin(path: RoutePath): Promise<boolean> {
  const { email, loggedIn, unitUuid } = useSession.getState()
  if (!expected && !loggedIn) return false
  void accents()
  const { call, question } = firstPayload(path, localeNow())
  const asking = isAhead ? call : payloadOf(path)
  isAhead = false
  const asked = eraNow()
  const first = await ask(asking, question).catch(nobody)
  if (!first) {
    if (!(await isShownElsewhere())) {
      shutSession()
      // What was typed is opened with the key of the agency that was worked for last.
      useSession.setState({ unitUuid })
    }
    return false
  }
  // Another tab signed out meanwhile: the reply is of a session that is over.
  if (asked !== eraNow()) return false
  // What another user left here, whose session ended without a sign-out, is not this one's.
  if (email !== '' && email !== first.user.email) resetStores()
  holdSession(first.user)
  await openKept()
  const chosen = unitOf(useSession.getState())?.uuid
  await take(chosen === first.unitUuid ? first : await ask(payloadOf(path), {}))
  if (!useSession.getState().user) return false
  begun = true
  showSession()
  return true
}

/** What was typed for the unit that is worked for. */
export async function openKept(): Promise<void> {
  const unit = unitOf(useSession.getState())
  if (unit) await openStores(unit.browserKey)
}

type Payload = Reply<ReturnType<typeof payloadOf>>

/** An answer that was overtaken by another unit, or by a sign-out, is dropped. */
export async function take(payload: Payload): Promise<void> {
  if (payload.unitUuid !== unitOf(useSession.getState())?.uuid) return
  const { locale: own } = useSession.getState().user ?? {}
  const { settings } = payload
  hold(payload)
  await showAccent(settings.accent)
  const asked = localeNow()
  await followUnit(own ?? settings.configuration.locale)
  // What was asked for in the browser's language is asked for again in the one that is spoken from now on.
  if (localeNow() !== asked) await ask(payloadOf(home), {}).then(hold, logOnly('loading settings'))
}

function hold({ unitUuid, settings, products }: Payload): void {
  if (unitUuid !== unitOf(useSession.getState())?.uuid) return
  useSettings.setState({ settings, isLoading: false })
  useProducts.setState({ products })
}

export const needsTwoFactor = (error: unknown): boolean => isRefusedAs(error, 'session.two_factor_needed')

function nobody(error: unknown): undefined {
  if ((error instanceof Refused && error.failure.code === 401) || isRefusedAs(error, 'session.unit_token')) return undefined
  throw error
}
