import type { completeDate } from '#common/kit/typed/dates.ts'
import { logOnly } from '#portal/kit/log.ts'

/** The function that reads short dates, once it is loaded. */
export const shortDates: { complete?: typeof completeDate } = {}

let reading: Promise<void> | undefined

/**
 * Loads the code that reads short dates when any date field is first focused. All fields wait for the same promise, so that dates left before are
 * completed in order, as `+7` counts from the date before it.
 */
export function loadComplete(): Promise<void> {
  reading ??= import('#common/kit/typed/dates.ts').then(
    reader => {
      shortDates.complete = reader.completeDate
    },
    cause => {
      reading = undefined
      logOnly('loading the reader of dates')(cause)
    },
  )
  return reading
}
