import { usersMe } from '#common/session/calls.ts'
import { type Settings, useSettings } from '#portal/business-unit/settings.ts'
import { ask } from '#portal/kit/ask.ts'
import { logOnly } from '#portal/kit/log.ts'
import type { SessionUser } from '#portal/session/session.ts'
import { markTab } from '#portal/session/sign-out.ts'

// Loaded when a page's payload could not be, so that no first page carries it.

/** The settings and the products could not be loaded, and the browser has kept none (spec 8). The shell asks for them again. */
export class UnitMissing extends Error {}

/** Requests the user without the rest of a payload that could not be loaded. */
export async function askUserAlone(cause: unknown): Promise<{ user: SessionUser; unitUuid?: undefined; cause: unknown }> {
  logOnly('loading settings and products')(cause)
  return { user: await ask(usersMe, {}), cause }
}

/** Returns the settings that the browser has kept, with the products. Throws UnitMissing if it has none. */
export function keptSettings(cause: unknown): Settings {
  const { settings } = useSettings.getState()
  useSettings.setState({ isOutdated: true })
  if (settings) return settings
  markTab()
  throw new UnitMissing(undefined, { cause })
}
