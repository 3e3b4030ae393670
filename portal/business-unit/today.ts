import { today } from '#common/kit/dates.ts'
import { useSettings } from './settings.ts'

/** Returns today's date in the unit's time zone, as the service does. */
export const todayInUnit = (): string => today(Date.now(), useSettings.getState().settings?.configuration.timeZone ?? 'UTC')
