import { useSettings } from '#portal/business-unit/settings.ts'
import { currentUnitOf, useSession } from '#portal/session/session.ts'

/** Returns the current unit's name and logo. While its settings are missing, its plain name and the portal's logo. */
export function useBrand(): { logo: string; brandName: string } {
  const settings = useSettings(({ settings }) => settings)
  const name = useSession(state => currentUnitOf(state)?.name)
  return settings ?? { logo: '/favicon.svg', brandName: name ?? '' }
}
