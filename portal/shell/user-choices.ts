import { home } from '#common/session/redirect.ts'
import { payloadOf } from '#common/shell/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { logOnly } from '#portal/kit/log.ts'
import { whileLoading } from '#portal/kit/overlay/loading.ts'
import { clearNotices } from '#portal/kit/overlay/notices.ts'
import { resetStores } from '#portal/kit/stores.ts'
import { useSettings } from '#portal/business-unit/settings.ts'
import { setSession, useSession } from '#portal/session/session.ts'
import { applyPayload, openUnitStores } from './start.ts'

let switches = 0

/** Switches to another of the user's units. Once its data is loaded, all data of the previous unit is removed. */
export async function changeUnit(unitUuid: string): Promise<void> {
  const { user } = useSession.getState()
  if (!user) return
  const number = ++switches
  const unitToken = user.businessUnits.find(({ uuid }) => uuid === unitUuid)?.token
  const payload = await whileLoading(ask(payloadOf(home), {}, { unitToken }))
  // The user has chosen another unit meanwhile, or has signed out.
  if (number !== switches || useSession.getState().user?.uuid !== user.uuid) return
  resetStores()
  clearNotices()
  setSession(user, unitUuid)
  await whileLoading(Promise.all([openUnitStores(), applyPayload(payload)]))
}

/** Requests the settings and products again, on a page that works without them. */
export async function reloadUnit(): Promise<void> {
  await applyPayload(await ask(payloadOf(home), {}))
  useSettings.setState({ isOutdated: false })
}

/** Loads the names that the service translates again after a change of language. A failure is only logged (spec 8). */
export async function reloadNames(): Promise<void> {
  useSettings.setState({ isLoading: true })
  await reloadUnit()
    .catch(logOnly('loading settings'))
    .finally(() => useSettings.setState({ isLoading: false }))
}
