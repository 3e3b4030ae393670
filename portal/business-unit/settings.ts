import type { settings as settingsCall } from '#common/business-unit/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { openStore } from '#portal/kit/stores.ts'

export type Settings = ResponseOf<typeof settingsCall>

type SettingsState = {
  settings: Settings | undefined
  isLoading: boolean
  /** True if they could not be loaded: they are those of an earlier page, or missing. */
  isOutdated?: boolean
}

/** The unit's settings, and whether they are loading (spec 4). */
export const useSettings = openStore<SettingsState>(
  'settings',
  { settings: undefined, isLoading: false },
  { keep: ({ settings }) => (settings ? { settings } : {}) },
)

/** Returns the unit's settings, which are loaded before any page is shown. */
export function useUnit(): Settings {
  const settings = useSettings(({ settings }) => settings)
  if (!settings) throw new Error('no settings before this page')
  return settings
}

/** Returns the function that names a country; one that is not known has its number. */
export function useCountryName(): (id: number) => string {
  const { countriesList } = useUnit().configuration
  return id => countriesList.find(country => country.id === id)?.name ?? String(id)
}
