import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyRecord, anyValue } from '#common/kit/testing.ts'
import { type TripDraft, tripSent } from '../trip.ts'
import { tripIn } from '../trip-codecs.ts'
import { priceTrip } from './price.ts'
import { commissionOf } from './taxes.ts'
import { basisOf, type Code, commissionPercent, inEnglish, priced, refused, today, tripOf } from './testing.ts'

const [ES, IT, TH, US, JP, DO, AD, DE, FR, GR] = [724, 380, 764, 840, 392, 214, 20, 276, 250, 300]
const reserved = { reservationDate: today }
const repeat = <T>(times: number, value: T): T[] => Array.from({ length: times }, () => value)

describe('the worked examples of docs/rating.md', () => {
  it.each<[string, Code, TripDraft, number, Record<string, number>, number, number]>([
    ['couple, Italy, 8 days', 'ESS', tripOf(IT, 8, [34, 36]), 3120, { IPS: 250, 'CCS-LEA': 5, 'CCS-RE': 1 }, 3376, 874],
    ['family, Thailand, 15 days', 'ESS', tripOf(TH, 15, [42, 40, 10, 1]), 12096, { IPS: 968, 'CCS-LEA': 18, 'CCS-RE': 1 }, 13083, 3387],
    ['one adult, New York, 8 days', 'ESS', tripOf(US, 8, [40]), 4350, { IPS: 348, 'CCS-LEA': 7, 'CCS-RE': 1 }, 4706, 1218],
    [
      'couple, Japan, 15 days, cancellation',
      'TOT',
      tripOf(JP, 15, [45, 43], { inDays: 120, amountCents: 640_000, ...reserved }),
      51916,
      { IPS: 4153, 'CCS-LEA': 78, 'CCS-RE': 1 },
      56148,
      15575,
    ],
    [
      'senior, Dominican Republic, 10 days, cancellation',
      'TOT',
      tripOf(DO, 10, [68], { inDays: 60, amountCents: 300_000, ...reserved }),
      23164,
      { IPS: 1853, 'CCS-LEA': 35, 'CCS-RE': 1 },
      25053,
      6949,
    ],
    [
      'cancellation alone',
      'CAN',
      tripOf(IT, 8, [30, 31], { inDays: 40, amountCents: 280_000, ...reserved }),
      8806,
      { IPS: 704, 'CCS-LEA': 13, 'CCS-RE': 0 },
      9523,
      2202,
    ],
    ['three friends, Andorra, 4 days', 'SNO', tripOf(AD, 4, [25, 26, 27]), 4305, { IPS: 344, 'CCS-LEA': 6, 'CCS-RE': 1 }, 4656, 1119],
    ['Erasmus, Germany, 150 days', 'STU', tripOf(DE, 150, [21]), 12455, { IPS: 996, 'CCS-LEA': 19, 'CCS-RE': 2 }, 13472, 2740],
    ['school group, Paris, 5 days', 'GRP', tripOf(FR, 5, repeat(45, 16)), 12312, { IPS: 985, 'CCS-LEA': 18, 'CCS-RE': 1 }, 13316, 2462],
    ['family, world, annual', 'ANN', tripOf(TH, 365, [42, 40, 10, 8]), 33200, { IPS: 2656, 'CCS-LEA': 50, 'CCS-RE': 36 }, 35942, 7968],
    [
      'couple from Italy, Greece, 8 days',
      'ESS',
      tripOf(GR, 8, [34, 36], { origin: IT }),
      3120,
      { 'IMP-ASS': 172, 'IMP-INF': 23, 'IMP-ALT': 99 },
      3414,
      874,
    ],
    [
      'couple, ages unknown',
      'ESS',
      { ...tripOf(IT, 8, [34, 36]), birthDates: undefined },
      3120,
      { IPS: 250, 'CCS-LEA': 5, 'CCS-RE': 1 },
      3376,
      874,
    ],
  ])('%s (%s)', (_case, code, trip, premium, taxes, total, commission) => {
    // Each unit of the examples sells trips from its own country.
    const price = priced(basisOf(code, trip.origin ?? ES), trip)
    expect(price.taxes.map(({ code, amount }) => [code, amount])).toEqual(Object.entries(taxes))
    expect([price.premium, price.total]).toEqual([premium, total])
    expect(price.travelPremium + price.cancellationPremium).toBe(premium)
    expect(commissionOf(premium, commissionPercent(code, 'azahar'))).toBe(commission)
  })
})

describe('zones', () => {
  const zoneTo = (destinations: number[], origin = ES) => priced(basisOf('ESS'), { ...tripOf(IT, 8, [40]), destinations, origin }).zone

  it.each([
    [[ES], ES, 'Z1'],
    [[AD], ES, 'Z1'],
    [[AD], IT, 'Z2'],
    [[674], IT, 'Z1'],
    [[IT], IT, 'Z1'],
    [[IT], ES, 'Z2'],
    [[76], ES, 'Z3'],
    [[US], US, 'Z1'],
    [[IT, US, TH], ES, 'Z4'],
    [[TH, IT, ES], ES, 'Z3'],
  ])('%j from %i: %s', (destinations, origin, zone) => expect(zoneTo(destinations, origin)).toBe(zone))

  it('a refusal names every country that is not covered', () => {
    const trip = { ...tripOf(IT, 8, [40]), destinations: [408, IT, 364, 999] }
    expect(refused(basisOf('ESS'), trip)).toEqual([
      { path: 'countriesDestinationId', rule: 'coverage.destination', params: { countries: 'North Korea, Iran, 999', only: 'none' } },
    ])
  })

  it('zones cover only the countries of the settings, and those with a price', () => {
    const basis = basisOf('ESS')
    basis.settings.countries = [IT]
    expect(refused(basis, tripOf(GR, 8, [40]))).toMatchObject([{ rule: 'coverage.destination', params: { countries: 'Greece' } }])
    expect(refused(basis, tripOf(IT, 8, [40]))).toEqual([])
    const noWorld = basisOf('ESS')
    if (noWorld.tariff.base.kind === 'bands') delete noWorld.tariff.base.net['Z3']
    expect(refused(noWorld, tripOf(TH, 8, [40]))).toMatchObject([{ rule: 'coverage.destination', params: { countries: 'Thailand' } }])
    expect(priced(noWorld, tripOf(US, 8, [40])).zone).toBe('Z4')
    const cancellation = tripOf(TH, 8, [40], { amountCents: 90_000, ...reserved })
    expect(priced(basisOf('CAN'), cancellation).zone).toBe('Z3')
  })

  it('a zone keeps locked countries', () => {
    const home = basisOf('HOM')
    expect(priced(home, tripOf(ES, 3, [40])).premium).toBe(390)
    expect(refused(home, tripOf(IT, 3, [40]))).toMatchObject([{ path: 'countriesDestinationId', rule: 'coverage.destination' }])
    expect(refused(home, tripOf(ES, 3, [40], { origin: FR }))).toEqual([
      { path: 'countryOriginId', rule: 'coverage.origin', params: { country: 'France', only: 'Spain' } },
    ])
    const locked = basisOf('ESS')
    Object.assign(locked.settings, { lockDestinationCountry: true, defaultDestinationCountry: IT })
    expect(refused(locked, { ...tripOf(IT, 3, [40]), destinations: [IT, FR] })).toEqual([
      { path: 'countriesDestinationId', rule: 'coverage.destination', params: { countries: 'France', only: 'Italy' } },
    ])
    expect(refused(basisOf('ESS'), tripOf(IT, 3, [40], { origin: 999 }))).toMatchObject([
      { path: 'countryOriginId', rule: 'coverage.origin' },
    ])
  })
})

describe('days and travellers', () => {
  it('a refusal names the limit: Italy to Japan, at most 90 days', () => {
    expect(refused(basisOf('ESS'), tripOf(JP, 94, [40], { origin: IT }))).toEqual([
      { path: 'endDate', rule: 'quote.too_long', params: { origin: 'Italy', destination: 'Japan', limit: 90, days: 94 } },
    ])
    expect(refused(basisOf('STU'), tripOf(DE, 27, [20]))).toMatchObject([
      { path: 'endDate', rule: 'quote.too_short', params: { limit: 28, days: 27 } },
    ])
  })

  it('a trip beyond the last band has no price', () => {
    const basis = basisOf('ESS')
    basis.settings.maxTravelLength = 200
    expect(refused(basis, tripOf(IT, 91, [40]))).toMatchObject([{ rule: 'quote.too_long', params: { limit: 90, days: 91 } }])
  })

  it.each([
    [3, 890],
    [4, 1180],
    [5, 1180],
    [90, 8600],
  ])('%i days cost the first band that includes them', (days, premium) =>
    expect(priced(basisOf('ESS'), tripOf(IT, days, [40])).premium).toBe(premium),
  )

  it.each([
    [30, 2650],
    [31, 5300],
    [60, 5300],
    [61, 7473],
  ])('%i days cost every month that they begin', (days, premium) =>
    expect(priced(basisOf('STU'), tripOf(DE, days, [20])).premium).toBe(premium),
  )

  it.each<[Code, number, number[]]>([
    ['GRP', 9, [10, 200]],
    ['ESS', 0, [1, 9]],
    ['ESS', -1, [1, 9]],
    ['ESS', 10, [1, 9]],
    ['ESS', 1_000_000_000, [1, 9]],
  ])('%s refuses %i travellers', (code, travellers, [min, max]) =>
    expect(refused(basisOf(code), { ...tripOf(IT, 5, [40]), birthDates: undefined, travellers })).toEqual([
      { path: 'paxNumber', rule: 'quote.pax', params: { min, max, given: travellers } },
    ]),
  )

  it.each([
    ['2026-11-20', '2026-11-25', undefined],
    ['2027-05-31', '2027-05-31', undefined],
    ['2026-12-30', '2027-01-05', undefined],
    ['2027-05-30', '2027-06-01', 'endDate'],
    ['2027-06-01', '2027-06-03', 'startDate'],
  ])('the season: %s to %s', (startDate, endDate, path) => {
    const trip = { ...tripOf(AD, 4, [25]), startDate, endDate, birthDates: undefined }
    const season = { path, rule: 'quote.season', params: { from: '01/11', to: '31/05' } }
    expect(refused(basisOf('SNO'), trip)).toEqual(path ? [season] : [])
  })

  it('a season within one year is accepted', () => {
    const basis = basisOf('SNO')
    Object.assign(basis.settings, { season: { from: '02-01', to: '02-29' }, maxStartDate: 365 })
    const from = (startDate: string, endDate: string) =>
      refused(basis, { ...tripOf(AD, 4, [25]), startDate, endDate, birthDates: undefined })
    expect(from('2027-02-01', '2027-02-28')).toEqual([])
    expect(from('2027-02-27', '2027-03-01')).toMatchObject([{ path: 'endDate', rule: 'quote.season' }])
    expect(from('2027-01-31', '2027-02-03')).toMatchObject([{ path: 'startDate', rule: 'quote.season' }])
  })

  it('a term ends on the day before its anniversary', () => {
    expect(refused(basisOf('ANN'), tripOf(TH, 364, [40]))).toEqual([
      { path: 'endDate', rule: 'quote.term', params: { months: 12, date: '30/11/2027' } },
    ])
    expect([1, 2, 3, 6].map(pax => priced(basisOf('ANN'), tripOf(US, 365, repeat(pax, 40))).premium)).toEqual([19900, 34800, 44300, 44300])
  })

  it.each<[TripDraft, string, string]>([
    [{ startDate: '2026-11-19' }, 'startDate', 'startDateRange'],
    [{ startDate: '2027-11-21', endDate: '2027-11-21' }, 'startDate', 'startDateRange'],
    [{ endDate: '2026-11-30' }, 'endDate', 'endDateMin'],
    [{ startDate: undefined, unreadable: ['startDate'] }, 'startDate', 'parseDate'],
    [{ destinations: [] }, 'countriesDestinationId', 'required'],
    [{ origin: undefined }, 'countryOriginId', 'required'],
    [{ travellers: undefined }, 'paxNumber', 'required'],
    [{ birthDates: ['1990-01-01'], travellers: 2 }, 'birthDates', 'peopleCount'],
    [{ birthDates: ['2026-11-21'] }, 'birthDates[0]', 'birthDateRange'],
    [{ birthDates: ['1990-02-30'] }, 'birthDates[0]', 'parseDate'],
    [{ ages: [40, 36] }, 'ages', 'peopleCount'],
    [{ ages: [85], birthDates: undefined }, 'ages[0]', 'quote.age'],
  ])('%j is reported at %s', (change, path, rule) => {
    expect(refused(basisOf('ESS'), { ...tripOf(IT, 8, [40]), ...change })).toContainEqual(expect.objectContaining({ path, rule }))
  })
})

describe('ages', () => {
  /** A unit that also insures people born before 1945. */
  const withElders = { ...basisOf('ESS'), earliestBirthDate: '1930-01-01' }
  const premium = (ages: (number | null)[], more: TripDraft = {}) => priced(withElders, tripOf(IT, 8, ages, more)).premium

  it.each([
    [13, 1092],
    [14, 1560],
    [64, 1560],
    [65, 2106],
    [84, 4992],
    [1, 1092],
  ])('%i years cost %i', (age, cents) => expect(premium([age])).toBe(cents))

  it('a birth date before the unit’s limit is refused at its field', { tags: 'S5.3' }, () => {
    const born = (birthDate: string) => tripOf(IT, 8, [40, 40], { birthDates: ['1986-01-15', birthDate] })
    const bound = { path: 'birthDates[1]', rule: 'birthDateRange', params: { from: '01/01/1945', to: '20/11/2026' } }
    expect(refused(basisOf('ESS'), born('1944-12-31'))).toEqual([bound])
    expect(refused(basisOf('ESS'), born('1945-01-01'))).toEqual([])
    expect(refused(withElders, born('1944-12-31'))).toEqual([])
  })

  it('ages are refused where no birth date of that age is allowed', () => {
    const aged = (age: number) => ({ ...tripOf(IT, 8, [40]), birthDates: undefined, ages: [age] })
    expect(refused(basisOf('ESS'), aged(82))).toEqual([
      { path: 'ages[0]', rule: 'quote.age', params: { traveller: 1, age: 82, from: 0, to: 81 } },
    ])
    expect(refused(basisOf('ESS'), aged(81))).toEqual([])
    expect(refused(withElders, aged(82))).toEqual([])
  })

  it('a refusal names the traveller whose age has no price', () => {
    expect(refused(withElders, tripOf(IT, 8, [40, 85]))).toEqual([
      { path: 'birthDates[1]', rule: 'quote.age', params: { traveller: 2, age: 85, from: 0, to: 84 } },
    ])
    expect(refused(basisOf('STU'), tripOf(DE, 60, [13]))).toMatchObject([{ rule: 'quote.age', params: { age: 13, from: 14, to: 45 } }])
  })

  it('ages and birth dates give the same price, and a birth date overrides an age', () => {
    const trip = tripOf(IT, 8, [40, 70, 1])
    const { perTraveller, ...price } = priced(basisOf('ESS'), trip)
    const byAge = priced(basisOf('ESS'), { ...trip, birthDates: undefined, ages: [40, 70, 1] })
    expect(byAge).toEqual({ ...price, perTraveller: perTraveller.map(({ premium }) => ({ birthDate: null, premium })) })
    expect(priced(basisOf('ESS'), { ...trip, ages: [1, 99, 40] }).premium).toBe(price.premium)
    expect(priced(basisOf('ESS'), { ...trip, birthDates: undefined, ages: [40, null, 1] }).provisional).toBe(true)
  })

  it('ages count on the start date, not today', () => {
    const trip = { ...tripOf(IT, 8, [40]), birthDates: ['1961-12-01'] }
    expect(priced(basisOf('ESS'), trip).premium).toBe(2106)
    expect(priced(basisOf('ESS'), { ...trip, birthDates: ['1961-12-02'] }).premium).toBe(1560)
  })

  it('one infant per adult travels free, the youngest first', () => {
    expect(premium([40, 1])).toBe(1560)
    expect(premium([40, 1, 0])).toBe(1560 + 1092)
    expect(premium([40, 40, 1, 0])).toBe(3120)
    expect(premium([17, 1])).toBe(1560 + 1092)
    expect(premium([18, 1])).toBe(1560)
    expect(premium([40, 2])).toBe(1560 + 1092)
    expect(premium([null, 1])).toBe(1560 + 1092)
    const trip = { ...tripOf(IT, 8, [40, 1, 1]), birthDates: ['1986-01-15', '2025-03-01', '2025-04-01'] }
    expect(priced(basisOf('ESS'), trip).perTraveller).toEqual([
      { birthDate: '1986-01-15', premium: 1560 },
      { birthDate: '2025-03-01', premium: 1092 },
      { birthDate: '2025-04-01', premium: 0 },
    ])
  })

  it('a free infant pays no cancellation premium', () => {
    const price = priced(basisOf('CAN'), tripOf(IT, 8, [30, 1], { inDays: 40, amountCents: 280_000, ...reserved }))
    expect(price.perTraveller.map(({ premium }) => premium)).toEqual([4403, 0])
  })

  it('the minimum per traveller is kept', () => expect(priced(basisOf('SNO'), tripOf(AD, 1, [40])).premium).toBe(900))

  it('the minimum per policy is kept', () => expect(priced(basisOf('GRP'), tripOf(ES, 1, repeat(10, 40))).premium).toBe(1500))

  it.each<[Code, TripDraft, boolean]>([
    ['ESS', tripOf(IT, 8, [null]), true],
    ['ESS', tripOf(IT, 8, [40]), false],
    ['ESS', tripOf(IT, 8, [40, null]), true],
    ['ANN', { ...tripOf(TH, 365, [40, 40]), birthDates: undefined }, false],
    ['STU', tripOf(DE, 150, [null]), false],
    ['CAN', tripOf(IT, 8, [null], { inDays: 40, amountCents: 90_000, ...reserved }), true],
    // The minimum hides the effect of the only traveller's age. An infant beside an adult would pay nothing.
    ['SNO', tripOf(AD, 1, [null]), false],
    ['SNO', tripOf(AD, 1, [40, null]), true],
    ['SNO', tripOf(AD, 1, [null, null]), true],
    ['SNO', tripOf(AD, 1, [null, 10]), false],
    ['GRP', { ...tripOf(ES, 1, repeat(10, 40)), birthDates: undefined }, false],
    ['GRP', { ...tripOf(ES, 5, repeat(10, 40)), birthDates: undefined }, true],
  ])('%s %j is provisional: %s', (code, trip, provisional) => expect(priced(basisOf(code), trip).provisional).toBe(provisional))
})

describe('cancellation', () => {
  const basis = basisOf('CAN')
  const of = (change: TripDraft & { inDays?: number }, ages = [30]) =>
    tripOf(IT, 5, ages, { inDays: 40, amountCents: 140_000, ...reserved, ...change })

  it('a step uses the last row for higher values, the first for lower ones', () => {
    expect(priced(basis, of({ amountCents: 800_000, inDays: 365 })).premium).toBe(Math.round(800_000 * 0.048 * 1.2 * 0.85))
    expect(priced(basis, of({ inDays: 14 })).premium).toBe(Math.round(140_000 * 0.029 * 0.85))
    expect(priced(basis, of({ inDays: 15 })).premium).toBe(Math.round(140_000 * 0.032 * 0.85))
    basis.settings.maxTravelCost = 20_000
    expect(priced(basis, of({ amountCents: 2_000_000 })).premium).toBe(Math.round(2_000_000 * 0.037 * 1.2 * 0.85))
  })

  it('the cancellation premium keeps its minimum', () => expect(priced(basisOf('CAN'), of({ amountCents: 1000 })).premium).toBe(600))

  it('each traveller’s share of the price is limited', () => {
    expect(refused(basisOf('CAN'), of({ amountCents: 800_001 }))).toEqual([
      { path: 'insurancedAmount', rule: 'quote.cost', params: { limit: 8000, given: 8000.01, currency: 'EUR' } },
    ])
    expect(refused(basisOf('CAN'), of({ amountCents: 1_600_000 }, [30, 30]))).toEqual([])
    expect(refused(basisOf('CAN'), of({ amountCents: 1_600_001 }, [30, 30]))).toMatchObject([{ rule: 'quote.cost' }])
  })

  it.each([
    [{ amountCents: 0 }, 'greaterThan'],
    [{ amountCents: -100 }, 'greaterThan'],
    [{ amountCents: undefined }, 'greaterThan'],
    [{ amountCents: undefined, unreadable: ['amountCents'] }, 'invalidNumber'],
  ] as const)('refuses %j: %s', (change, rule) =>
    expect(refused(basisOf('CAN'), of(change))).toMatchObject([{ path: 'insurancedAmount', rule }]),
  )

  it.each([
    ['2026-11-20', 2, 0],
    ['2026-11-13', 2, 0],
    ['2026-11-12', 10, 72],
    ['2026-11-12', 9, 'quote.cancellation_window'],
    ['2026-11-21', 40, 'reservationDate'],
  ])('reserved on %s, starting in %i days: %s', (reservationDate, inDays, expected) => {
    const trip = of({ reservationDate, inDays })
    if (typeof expected === 'number') expect(priced(basisOf('CAN'), trip).waitHours).toBe(expected)
    else expect(refused(basisOf('CAN'), trip)).toMatchObject([{ path: 'reservationDate', rule: expected }])
  })

  it('a trip that began before the sale is not refused as one bought late', () => {
    const problems = refused(basisOf('CAN'), of({ reservationDate: '2026-11-16', inDays: -1 }))
    expect(problems.map(({ path }) => path)).not.toContain('reservationDate')
  })

  it('the premium is split; a group’s rounding applies to the travel premium', () => {
    const grouped = basisOf('TOT')
    grouped.tariff.groups = [[1, 9, 7]]
    const seventh = (cents: number) => Math.round((cents * 93) / 100)
    let roundedApart = 0
    for (const amountCents of Array.from({ length: 30 }, (_, nth) => 120_000 + nth * 777)) {
      const trip = of({ inDays: 60, amountCents }, [30, 40, 50])
      const [plain, price] = [priced(basisOf('TOT'), trip), priced(grouped, trip)]
      expect([price.premium, price.cancellationPremium]).toEqual([seventh(plain.premium), seventh(plain.cancellationPremium)])
      expect(price.travelPremium + price.cancellationPremium).toBe(price.premium)
      if (seventh(plain.travelPremium) + seventh(plain.cancellationPremium) !== price.premium) roundedApart += 1
    }
    expect(roundedApart).toBeGreaterThan(0)
  })
})

describe('the country of the risk', () => {
  const [spain, italy] = [
    ['IPS', 'CCS-LEA', 'CCS-RE'],
    ['IMP-ASS', 'IMP-INF', 'IMP-ALT'],
  ]
  const codesOf = (product: Code, unit: number, origin: number, days: number) =>
    priced(basisOf(product, unit), tripOf(DE, days, [21], { origin })).taxes.map(({ code }) => code)

  it('the risk is in the unit’s country if the policy ends within four months', () => {
    expect(codesOf('ESS', IT, ES, 8)).toEqual(italy)
    expect(codesOf('ESS', ES, IT, 8)).toEqual(spain)
    // 1 December to 31 March.
    expect(codesOf('STU', IT, ES, 121)).toEqual(italy)
  })

  it('the risk of a longer policy is in the origin, as the residence', () => {
    expect(codesOf('STU', IT, ES, 122)).toEqual(spain)
    expect(codesOf('STU', ES, IT, 122)).toEqual(italy)
  })

  it('the risk is in the unit’s country if the table lacks a longer policy’s origin', () => {
    expect(codesOf('STU', IT, GR, 122)).toEqual(italy)
    expect(codesOf('STU', ES, GR, 122)).toEqual(spain)
  })
})

it('priceTrip accepts any input of a call', () =>
  fc.assert(
    fc.property(fc.oneof(anyValue, anyRecord([...Object.values(tripSent), 'birthDates', 'ages'])), sent => {
      const { problems } = priceTrip(basisOf('TOT'), tripIn(Object(sent)), today, inEnglish)
      expect(problems?.length).toBeGreaterThan(0)
    }),
    { numRuns: 500, examples: [[{ countryOriginId: 0, countriesDestinationId: [Object.create(null)] }]] },
  ))
