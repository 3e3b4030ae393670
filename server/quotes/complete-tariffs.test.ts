import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addDays, addMonths, daysBetween } from '#common/kit/dates.ts'
import { earliestBirthDate } from '#common/kit/validators/periods.ts'
import { settingsInUnit } from '#common/products/settings.ts'
import { hasPriceFor } from '#common/quotes/rating/base.ts'
import { isInsurable } from '#common/quotes/rating/ages.ts'
import { openCatalogue } from '#server/products/catalogue/check.ts'

const { catalogue } = openCatalogue(join(import.meta.dirname, '../../catalogue'))
const span = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test.each(catalogue?.products ?? [])('a tariff that passes the check has every price: $code', product => {
  const { settings, tariff, accidentCapital } = product
  const zones = catalogue?.zones ?? { zones: [], excludedCountries: [] }
  const places = { settings: settingsInUnit(settings, 724), zones, taxes: {}, country: 724, currency: 'EUR', earliestBirthDate }
  const basis = { ...places, tariff, accidentCapital }
  expect(span(settings.minAge, settings.maxAge).filter(age => !isInsurable(basis, age))).toEqual([])
  const zoneIds = settings.countries.length > 0 ? ['Z1'] : zones.zones.map(({ id }) => id)
  const days =
    tariff.base.kind === 'term'
      ? [daysBetween('2026-12-01', addDays(addMonths('2026-12-01', tariff.base.months), -1)) + 1]
      : span(settings.minTravelLength, settings.maxTravelLength)
  for (const zone of zoneIds) expect(days.filter(each => !hasPriceFor(tariff.base, zone, each))).toEqual([])
})
