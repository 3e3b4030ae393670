import type { completeDate } from '#common/kit/typed/dates.ts'
import { logOnly } from '#portal/kit/log.ts'

/** The reader of short dates, once it is loaded. */
export const shortDates: { complete?: typeof completeDate } = {}

let reading: Promise<void> | undefined

/**
 * Loads the reader of short dates with the first focus of any date field. All fields wait for the same promise:
 * dates that were left before it arrived are completed in their order, as `+7` counts from the date before it.
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
