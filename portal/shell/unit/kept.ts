import { usersMe } from '#common/session/calls.ts'
import { type Settings, useSettings } from '#portal/business-unit/settings.ts'
import { ask } from '#portal/kit/ask.ts'
import { logOnly } from '#portal/kit/log.ts'
import { loadMessages } from '#portal/kit/words.tsx'
import type { SessionUser } from '#portal/session/session.ts'
import { isSignedOut, needsTwoFactor } from '../sign-in/needed.ts'

/** Requests the user without the rest of a payload that could not be loaded (spec 8). Throws an error that a sign-in or a second factor solves. */
export async function askUserAlone(cause: unknown): Promise<{ user: SessionUser; unitUuid?: undefined }> {
  if (isSignedOut(cause) || needsTwoFactor(cause)) throw cause
  logOnly('loading settings and products')(cause)
  return { user: await ask(usersMe, {}) }
}

/** Shows the settings stored in the browser, or loads the messages that say that there are none. The shell requests new ones. */
export async function showKept(show: (settings: Settings) => Promise<void>): Promise<void> {
  useSettings.setState({ isOutdated: true })
  const { settings } = useSettings.getState()
  await (settings ? show(settings) : loadMessages('lost').catch(logOnly('loading words')))
}
