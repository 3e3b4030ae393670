import type { settings as settingsCall } from '#common/business-unit/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { openStore } from '#portal/kit/stores.ts'

export type Settings = ResponseOf<typeof settingsCall>

type SettingsState = {
  settings: Settings | undefined
  isLoading: boolean
  /** True if the settings could not be loaded, and are missing or those of an earlier page. */
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

/** Returns a function that names a country. An unknown one is shown by its number. */
export function useCountryName(): (id: number) => string {
  const { countriesList } = useUnit().configuration
  return id => countriesList.find(country => country.id === id)?.name ?? String(id)
}
