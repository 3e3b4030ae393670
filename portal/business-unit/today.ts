import { today } from '#common/kit/dates.ts'
import { serviceNow } from '#portal/kit/time.ts'
import { useSettings } from './settings.ts'

/** Returns today's date in the unit's time zone, by the service's clock. */
export const todayInUnit = (): string => today(serviceNow(), useSettings.getState().settings?.configuration.timeZone ?? 'UTC')
