import type { ResponseOf } from '#common/kit/call.ts'
import type { Locale } from '#common/kit/locales.ts'
import { home } from '#common/session/redirect.ts'
import { firstPayload, payloadOf } from '#common/shell/calls.ts'
import type { RoutePath } from '#common/shell/routes.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { ask, keepReplies } from '#portal/kit/ask.ts'
import { loadAccents, showAccent } from '#portal/kit/ui/appearance.ts'
import { followService, showTimesIn } from '#portal/kit/time.ts'
import { logOnly } from '#portal/kit/log.ts'
import { openStores, resetStores } from '#portal/kit/stores.ts'
import { type Settings, useSettings } from '#portal/business-unit/settings.ts'
import { isSignedOut } from './sign-in/needed.ts'
import { useProducts } from '#portal/products/store.ts'
import { isShownInOtherTab, markTab, suspendSession } from '#portal/session/sign-out.ts'
import { currentUnitOf, resetCount, setSession, useSession } from '#portal/session/session.ts'
import { followUnit } from '#portal/kit/language.ts'
import { localeNow } from '#portal/kit/words.tsx'

let isStarted = false
/** True until the payload that the page's head requested for this user is used. */
let isPreloaded = true
/** True if there may be a session: the page was loaded with its cookie, or the user has signed in since. */
let mayHaveSession = document.querySelector('meta[name=portolan-session]') !== null

export const hasStarted = (): boolean => isStarted

/** Makes the next page start the session again, after signing in or out. */
export function restart(isSignedIn: boolean): void {
  isStarted = false
  mayHaveSession = isSignedIn
}

/**
 * Loads the user, the settings and the products in one call, before any page is shown (spec 1). If settings and products cannot be loaded, those
 * stored in the browser, if any, are used until they are. Returns false if no user is signed in, or the user belongs to no unit (spec 8). No data of
 * an earlier session can then be read.
 */
export async function start(path: RoutePath, query: string): Promise<boolean> {
  const { email, loggedIn, unitUuid } = useSession.getState()
  if (!mayHaveSession && !loggedIn) return false
  void loadAccents()
  const { call, request } = firstPayload(path, localeNow(), query)
  const payloadCall = isPreloaded ? call : payloadOf(path)
  isPreloaded = false
  const before = resetCount()
  const first = await askPayload(payloadCall, request).catch(withoutPayload).catch(undefinedIfSignedOut)
  if (!first) {
    if (!(await isShownInOtherTab())) {
      suspendSession()
      // The next sign-in decrypts the stored input with the key of the last current unit.
      useSession.setState({ unitUuid })
    }
    return false
  }
  // Another tab has signed out meanwhile, so the response belongs to an ended session.
  if (before !== resetCount()) return false
  // Removes the data of another user whose session ended without a sign-out.
  if (email !== '' && email !== first.user.email) resetStores()
  setSession(first.user)
  await openUnitStores()
  const chosen = currentUnitOf(useSession.getState())?.uuid
  const isOfOther = first.unitUuid !== undefined && first.unitUuid !== chosen
  const payload = isOfOther ? await askPayload(payloadOf(path), request).catch(withoutPayload) : first
  if (payload.unitUuid === undefined) await (await loadKept()).showKept(showUnit)
  else await applyPayload(payload)
  if (!useSession.getState().user) return false
  isStarted = true
  markTab()
  return true
}

/** Decrypts the stored input of the current unit. */
export async function openUnitStores(): Promise<void> {
  const unit = currentUnitOf(useSession.getState())
  if (unit) await openStores(unit.browserKey)
}

type Payload = ResponseOf<ReturnType<typeof payloadOf>>

/** Requests a page's payload. A user who may not see the page gets the home page's, and then the refusal. */
const askPayload = (call: ReturnType<typeof payloadOf>, request: { locale: Locale }): Promise<Payload> =>
  ask(call, request).catch((error: unknown) => {
    if (!isRefusedAs(error, 'session.forbidden')) throw error
    return ask(payloadOf(home), request)
  })

const loadKept = () => import('./unit/kept.ts')
const withoutPayload = async (error: unknown) => (await loadKept()).askUserAlone(error)

/** Applies a payload, unless the user has changed the unit or signed out meanwhile. */
export async function applyPayload(payload: Payload): Promise<void> {
  if (payload.unitUuid !== currentUnitOf(useSession.getState())?.uuid) return
  storePayload(payload)
  const requestedLocale = localeNow()
  await showUnit(payload.settings)
  // The language has changed: requests the translated names again.
  if (localeNow() !== requestedLocale) await ask(payloadOf(home), {}).then(storePayload, logOnly('loading settings'))
}

/** Applies the unit's colour, time zone and language. */
async function showUnit({ accent, configuration: { timeZone, locale } }: Settings): Promise<void> {
  showTimesIn(timeZone)
  await showAccent(accent)
  await followUnit(useSession.getState().user?.locale ?? locale)
}

function storePayload({ now, unitUuid, settings, products, first }: Payload): void {
  if (unitUuid !== currentUnitOf(useSession.getState())?.uuid) return
  followService(now)
  useSettings.setState({ settings, isLoading: false })
  useProducts.setState({ products })
  // A page that is open has asked already.
  if (!isStarted) keepReplies(first)
}

/** Returns undefined if the error means that no user is signed in, or the user has no unit. Throws any other error. */
function undefinedIfSignedOut(error: unknown): undefined {
  if (isSignedOut(error)) return undefined
  throw error
}
