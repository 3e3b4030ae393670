import { today } from '#common/kit/dates.ts'
import { useSettings } from './settings.ts'

/** Today where the unit is: what the service takes for today too. */
export const todayInUnit = (): string => today(Date.now(), useSettings.getState().settings?.configuration.timeZone ?? 'UTC')
