import type { settings as settingsCall } from '#common/business-unit/calls.ts'
import type { Reply } from '#common/kit/call.ts'
import { openStore } from '#portal/kit/stores.ts'

export type Settings = Reply<typeof settingsCall>

/** spec 4: settings loading holds a loading flag while the call runs. */
export const useSettings = openStore<{ settings: Settings | undefined; isLoading: boolean }>(
  'settings',
  { settings: undefined, isLoading: false },
  { keep: ({ settings }) => (settings ? { settings } : {}) },
)

/** The unit's settings: they are there before any page is shown. */
export function useUnit(): Settings {
  const settings = useSettings(({ settings }) => settings)
  if (!settings) throw new Error('no settings before this page')
  return settings
}
