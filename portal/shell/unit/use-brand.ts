import { useSettings } from '#portal/business-unit/settings.ts'
import { currentUnitOf, useSession } from '#portal/session/session.ts'

/** Returns the name and logo of the current unit, or its plain name and the portal's logo while its settings are missing. */
export function useBrand(): { logo: string; brandName: string } {
  const settings = useSettings(({ settings }) => settings)
  const name = useSession(state => currentUnitOf(state)?.name)
  return settings ?? { logo: '/favicon.svg', brandName: name ?? '' }
}
