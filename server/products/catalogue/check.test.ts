import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { settingsInUnit } from '#common/products/settings.ts'
import { openCatalogue } from './check.ts'

const shipped = join(import.meta.dirname, '../../../catalogue')
const folders: string[] = []
afterAll(() => folders.forEach(folder => rmSync(folder, { recursive: true })))

function copy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-'))
  folders.push(folder)
  cpSync(shipped, folder, { recursive: true })
  return folder
}

type Change = (content: any) => void

/** Returns the problems of the shipped catalogue after a change to one of its files. */
function problemsAfter(file: string, change: Change | string): string[] {
  const folder = copy()
  const path = join(folder, file)
  if (typeof change === 'string') writeFileSync(path, change)
  else changeFile(path, change)
  return problemsIn(folder)
}

function changeFile(path: string, change: Change): void {
  const content = JSON.parse(readFileSync(path, 'utf8'))
  change(content)
  writeFileSync(path, JSON.stringify(content))
}

const problemsIn = (folder: string): string[] =>
  openCatalogue(folder).problems.map(({ file, path, problem }) => [file, path, problem].join(' | '))

test('the shipped catalogue has no problem', () => {
  expect(problemsIn(shipped)).toEqual([])
  expect(openCatalogue(shipped).catalogue?.products.map(product => product.code)).toEqual([
    'ANN',
    'CAN',
    'ESS',
    'GRP',
    'HOM',
    'SNO',
    'STU',
    'TOT',
  ])
})

test('a trip’s origin is the product’s, else the unit’s country, else Italy', { tags: ['S9.13'] }, () => {
  const folder = copy()
  changeFile(join(folder, ess), p => delete p.settings.defaultOriginRegion)
  changeFile(join(folder, units), u => delete u[0].country)
  const { catalogue, problems } = openCatalogue(folder)
  const essential = catalogue?.products.find(({ code }) => code === 'ESS')
  expect(problems).toEqual([])
  expect(catalogue?.units.map(({ country }) => essential && settingsInUnit(essential.settings, country).defaultOriginRegion)).toEqual([
    380, 380,
  ])
  expect(essential && settingsInUnit(essential.settings, 724).defaultOriginRegion).toBe(724)
})

test('a form may only name groups of covers that exist', () => {
  const file = 'tickets/delay.json'
  expect(problemsAfter(file, type => (type.covers = ['delay', 'travel']))).toEqual([
    expect.stringContaining(`${file} | covers[1] | is "travel"; expected "cancellation" or "interruption"`),
  ])
})

type Case = [what: string, file: string, change: Change, problems: string[]]

const ess = 'products/ESS.json'
const tot = 'products/TOT.json'
const units = 'business-units.json'
const information = 'documents/information.json'

describe('the shape of a file', () => {
  test.each<Case>([
    ['an unknown field', ess, p => (p.colour = 1), [`${ess} | colour | is not known here`]],
    ['a missing field', ess, p => delete p.icon, [`${ess} | icon | is missing; expected a text`]],
    ['a missing language', ess, p => delete p.name.fr, [`${ess} | name.fr | is missing; expected a text`]],
    ['an empty text', ess, p => (p.name.pt = ''), [`${ess} | name.pt | is ""; expected a text that is not empty`]],
    ['a wrong type', ess, p => (p.settings.maxPax = '9'), [`${ess} | settings.maxPax | is "9"; expected a whole number`]],
    [
      'a fraction of a cent',
      ess,
      p => (p.tariff.base.net.Z2[1] = 1.5),
      [`${ess} | tariff.base.net.Z2[1] | is 1.5; expected a whole number`],
    ],
    ['a negative price', ess, p => (p.tariff.base.net.Z2[1] = -1), [`${ess} | tariff.base.net.Z2[1] | is -1; expected at least 0`]],
    ['hours above thirty days', ess, p => (p.tariff.quoteHours = 721), [`${ess} | tariff.quoteHours | is 721; expected at most 720`]],
    ['hours below a day', ess, p => (p.tariff.quoteHours = 23), [`${ess} | tariff.quoteHours | is 23; expected at least 24`]],
    ['half an hour', ess, p => (p.tariff.quoteHours = 24.5), [`${ess} | tariff.quoteHours | is 24.5; expected a whole number`]],
    ['a unit’s hours above thirty days', units, u => (u[0].quoteHours = 721), [`${units} | [0].quoteHours | is 721; expected at most 720`]],
    ['a short row', ess, p => p.tariff.ages[1].pop(), [`${ess} | tariff.ages[1] | is [14,34]; expected at least 3 entries`]],
    [
      'an unknown kind of tariff',
      ess,
      p => (p.tariff.base.kind = 'flat'),
      [`${ess} | tariff.base.kind | is "flat"; expected "bands" or "perDay" or "perMonth" or "term" or "none"`],
    ],
    ['a limit in words', ess, p => (p.coverages[0].limit = '1500'), [`${ess} | coverages[0].limit | is "1500"; expected a whole number`]],
    ['a cover without limit or value', ess, p => delete p.coverages[0].limit, [`${ess} | coverages[0] | lacks one of: limit, value`]],
    [
      'a value that lacks a language',
      ess,
      p => delete p.coverages[5].value.it,
      [`${ess} | coverages[5].value.it | is missing; expected a text`],
    ],
    [
      'a country that is neither',
      ess,
      p => (p.settings.defaultOriginRegion = 'Spain'),
      [`${ess} | settings.defaultOriginRegion | is "Spain"; expected a whole number or "unit"`],
    ],
    [
      'a zone name of another form',
      ess,
      p => (p.tariff.base.net.north = [1]),
      [`${ess} | tariff.base.net.north | has not a name of the form /^Z\\d+$/`],
    ],
    [
      'an unknown language of a unit',
      units,
      u => (u[0].locale = 'de-DE'),
      [`${units} | [0].locale | is "de-DE"; expected "en-EN" or "es-ES" or "fr-FR" or "it-IT" or "pt-PT"`],
    ],
    [
      'a bad address',
      units,
      u => (u[1].contactInfo.email = 'ciao'),
      [`${units} | [1].contactInfo.email | is "ciao"; expected an e-mail address`],
    ],
  ])('is wrong with %s', (_what, file, change, problems) => {
    expect(problemsAfter(file, change)).toEqual(problems)
  })

  test('is checked in all files, and every problem is reported', () => {
    const folder = copy()
    writeFileSync(join(folder, 'taxes.json'), '{\n  "724": [ }\n}')
    rmSync(join(folder, 'insurer.json'))
    const path = join(folder, ess)
    writeFileSync(path, readFileSync(path, 'utf8').replace('"icon"', '"ikon"').replace('"maxAge": 84', '"maxAge": "84"'))
    writeFileSync(join(folder, tot), readFileSync(join(folder, tot), 'utf8').replace('"upToDays": [3, 5,', '"upToDays": [5,'))
    expect(problemsIn(folder)).toEqual([
      'insurer.json |  | is missing',
      'taxes.json | line 2, column 12 | is not JSON here; expected a value',
      `${ess} | icon | is missing; expected a text`,
      `${ess} | settings.maxAge | is "84"; expected a whole number`,
      `${ess} | ikon | is not known here`,
      ...['Z1', 'Z2', 'Z3', 'Z4'].map(zone => `${tot} | tariff.base.net.${zone} | has 10 prices; expected 9, as upToDays has`),
    ])
  })

  test('is reported missing for a folder that does not exist', () => {
    expect(problemsIn(join(shipped, 'nowhere'))).toContain('products |  | holds no product; expected one JSON file for each')
  })

  test('must be UTF-8 JSON without duplicate names', () => {
    const folder = copy()
    const insurer = join(folder, 'insurer.json')
    writeFileSync(insurer, readFileSync(insurer, 'utf8').replace('{', '{ "brandName": "Other",'))
    writeFileSync(join(folder, 'texts.json'), Buffer.from([0x7b, 0xff, 0x7d]))
    expect(problemsIn(folder)).toEqual(['insurer.json | brandName | is given twice', 'texts.json |  | is not UTF-8 throughout'])
  })

  test.each([
    ['a script', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'],
    ['a handler', '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"></svg>'],
    ['an address elsewhere', '<svg xmlns="http://www.w3.org/2000/svg"><image href="https://example.org/x.png"/></svg>'],
    ['an entity', '<svg xmlns="http://www.w3.org/2000/svg"><!ENTITY x "y"></svg>'],
    ['no picture', 'PNG'],
  ])('must not have a logo with %s', (_what, logo) => {
    expect(problemsAfter('logos/rotta.svg', logo)).toEqual([
      'logos/rotta.svg |  | is not a plain SVG picture; expected one without scripts, declarations and addresses',
    ])
  })
})

describe('the checks beyond the schema', () => {
  test.each<Case>([
    ['ages that overlap', ess, p => (p.tariff.ages[1][0] = 13), [`${ess} | tariff.ages | rows 0 and 1 overlap at 13`]],
    ['ages that leave a gap', ess, p => (p.tariff.ages[2][0] = 37), [`${ess} | tariff.ages | rows 1 and 2 leave out 35 to 36`]],
    ['ages that end too early', ess, p => p.tariff.ages.pop(), [`${ess} | tariff.ages | ends at 79; the settings allow 84`]],
    ['ages that begin too late', ess, p => (p.tariff.ages[0][0] = 1), [`${ess} | tariff.ages | begins at 1; the settings allow 0`]],
    [
      'a row turned round',
      ess,
      p => (p.tariff.ages[6] = [84, 80, 320]),
      [
        `${ess} | tariff.ages | ends at 80; the settings allow 84`,
        `${ess} | tariff.ages | row 6: 84 is after 80`,
        `${ess} | tariff.ages | rows 5 and 6 leave out 80 to 83`,
      ],
    ],
    [
      'no ages for cancellation',
      tot,
      p => (p.tariff.cancellation.ages = [[0, 80, 100]]),
      [`${tot} | tariff.cancellation.ages | ends at 80; the settings allow 84`],
    ],
    [
      'leads that do not rise',
      tot,
      p => (p.tariff.cancellation.leadUpTo[1][0] = 14),
      [`${tot} | tariff.cancellation.leadUpTo | row 1: 14 does not rise above 14`],
    ],
    [
      'bands of another number',
      ess,
      p => p.tariff.base.net.Z3.pop(),
      [`${ess} | tariff.base.net.Z3 | has 9 prices; expected 10, as upToDays has`],
    ],
    ['bands that do not rise', ess, p => (p.tariff.base.upToDays[1] = 3), [`${ess} | tariff.base.upToDays[1] | 3 does not rise above 3`]],
    [
      'days without a price',
      ess,
      p => (p.settings.maxTravelLength = 91),
      [`${ess} | tariff.base.upToDays | ends at 90 days; the settings allow maxTravelLength 91`],
    ],
    [
      'days without a discount row',
      'products/SNO.json',
      p => (p.settings.maxTravelLength = 32),
      ['products/SNO.json | tariff.base.discount | ends at 31; the settings allow 32'],
    ],
    [
      'months without a discount row',
      'products/STU.json',
      p => p.tariff.base.discount.pop(),
      ['products/STU.json | tariff.base.discount | ends at 8; the settings allow 13 (months of 30 days)'],
    ],
    [
      'a term longer than a trip may be',
      'products/ANN.json',
      p => (p.settings.maxTravelLength = 365),
      ['products/ANN.json | tariff.base.months | make 365 to 366 days; the settings allow 1 to 365'],
    ],
    [
      'groups with a gap',
      'products/GRP.json',
      p => p.tariff.groups.splice(1, 1),
      ['products/GRP.json | tariff.groups | rows 0 and 1 leave out 25 to 49'],
    ],
    [
      'a group discount above all',
      'products/GRP.json',
      p => (p.tariff.groups[2][2] = 101),
      ['products/GRP.json | tariff.groups | row 2: takes off 101 %; expected 100 at most'],
    ],
    [
      'a zone without a price, though trips go anywhere',
      ess,
      p => delete p.tariff.base.net.Z3,
      [`${ess} | tariff.base.net | has no price for Z3, where the settings allow any destination`],
    ],
    [
      'an unknown zone',
      ess,
      p => (p.tariff.base.net.Z9 = p.tariff.base.net.Z1),
      [`${ess} | tariff.base.net.Z9 | is no zone; zones.json has Z1, Z2, Z3, Z4`],
    ],
    [
      'no price where the trip must go',
      'products/HOM.json',
      p => {
        p.tariff.base.net = { Z2: p.tariff.base.net.Z1 }
      },
      ["products/HOM.json | tariff.base.net | has no price for Z1, where the settings' destination unit lies"],
    ],
    [
      'a commission of no unit',
      ess,
      p => (p.commissionPercent.brisa = 20),
      [`${ess} | commissionPercent.brisa | is of no unit; business-units.json has azahar, rotta`],
    ],
    [
      'a cover named twice',
      ess,
      p => (p.coverages[1].name = p.coverages[0].name),
      [`${ess} | coverages[1].name.en | "Medical expenses, home country" is given twice`],
    ],
    [
      'a cover without a code',
      ess,
      p => delete p.coverages[0].code,
      [`${ess} | coverages[0].code | is missing; expected one such as "medical.europe"`],
    ],
    [
      'a code of no group',
      ess,
      p => (p.coverages[0].code = 'medicine.home'),
      [
        `${ess} | coverages[0].code | "medicine.home" is in no group of covers; expected one of cancellation, interruption, medical, repatriation, assistance, luggage, delay, connection, accident, liability, sports, studies`,
      ],
    ],
    [
      'a code of no cover',
      ess,
      p => (p.coverages[5].code = 'repatriation.doctor'),
      [`${ess} | coverages[5].code | "repatriation.doctor" is no cover; repatriation has repatriation.medical, repatriation.remains`],
    ],
    [
      'two covers with one code',
      ess,
      p => (p.coverages[1].code = 'medical.home'),
      [`${ess} | coverages[1].code | "medical.home" is given twice`],
    ],
    [
      'an unknown country',
      ess,
      p => p.settings.countries.push(999),
      [`${ess} | settings.countries[0] | 999 is no country of ISO 3166-1; expected one, or "unit"`],
    ],
    [
      'an excluded country',
      ess,
      p => p.settings.countries.push(408),
      [`${ess} | settings.countries[0] | 408 is among the excludedCountries of zones.json`],
    ],
    [
      'a locked nowhere',
      ess,
      p => (p.settings.lockDestinationCountry = true),
      [`${ess} | settings.lockDestinationCountry | locks a destination, and defaultDestinationCountry is null`],
    ],
    ['bounds turned round', ess, p => (p.settings.minPax = 10), [`${ess} | settings.minPax | is 10, above maxPax 9`]],
    [
      'trips that cannot end',
      ess,
      p => Object.assign(p.settings, { maxEndDate: 0, startDayOffset: 1 }),
      [`${ess} | settings.maxEndDate | is 0; expected 1 at least, or no trip can end`],
    ],
    [
      'a day that no year has',
      'products/SNO.json',
      p => (p.settings.season.to = '02-30'),
      ['products/SNO.json | settings.season.to | "02-30" is no day of the year'],
    ],
    [
      'cancellation without a tariff',
      ess,
      p => (p.settings.hasAmountCancellation = true),
      [
        `${ess} | settings.hasAmountCancellation | does not agree with tariff.cancellation: expected both or neither`,
        `${ess} | settings.maxTravelCost | is 0, so no cancellation could be insured`,
      ],
    ],
    ['another file’s code', ess, p => (p.code = 'TOT'), [`${ess} | code | is "TOT"; expected "ESS", as the file is called`]],
    ['another product’s id', tot, p => (p.id = 1), [`${tot} | id | 1 is the id of another product`]],
    [
      'a unit given twice',
      units,
      u => (u[1].key = 'azahar'),
      [
        `${units} | [1].key | azahar is given twice`,
        ...'ANN CAN ESS GRP HOM SNO STU TOT'
          .split(' ')
          .map(code => `products/${code}.json | commissionPercent.rotta | is of no unit; business-units.json has azahar, azahar`),
      ],
    ],
    [
      'an unknown time zone',
      units,
      u => (u[0].timeZone = 'Europe/Valencia'),
      [`${units} | [0].timeZone | "Europe/Valencia" is no time zone; expected one such as "Europe/Madrid"`],
    ],
    ['an unknown currency', units, u => (u[0].currency = 'EUX'), [`${units} | [0].currency | "EUX" is no currency of ISO 4217`]],
    [
      'an account of the insurer that is none',
      'insurer.json',
      i => (i.accounts = { ABC: 'ES9121000418450200051333' }),
      [
        'insurer.json | accounts.ABC | "ABC" is no currency of ISO 4217',
        'insurer.json | accounts.ABC | "ES9121000418450200051333" is no valid IBAN',
      ],
    ],
    [
      'a broken IBAN',
      units,
      u => (u[0].billingInfo.iban = 'ES9121000418450200051333'),
      [`${units} | [0].billingInfo.iban | "ES9121000418450200051333" is no valid IBAN`],
    ],
    [
      'a unit in no country',
      units,
      u => (u[0].country = 999),
      [`${units} | [0].country | 999 is no country of ISO 3166-1`, `${units} | [0].country | taxes.json has no taxes for 999`],
    ],
    ['a gateway given twice', units, u => u[0].gateways.push('Deferred'), [`${units} | [0].gateways[2] | Deferred is given twice`]],
    [
      'a pale accent',
      units,
      u => (u[0].accent = '#ffcc00'),
      [`${units} | [0].accent | white text on #ffcc00 is hard to read; expected a darker colour (contrast of 4.5)`],
    ],
    ['a tax of no country', 'taxes.json', t => (t['999'] = t['250']), ['taxes.json | 999 | 999 is no country of ISO 3166-1']],
    [
      'a tax of more than the premium',
      'taxes.json',
      t => {
        t['724'][0].rateBp = 80_000
        t['724'][1].sharePercent = 101
      },
      [
        'taxes.json | 724[0].rateBp | is 80000; expected 10000 (100 %) at most',
        'taxes.json | 724[1].sharePercent | is 101; expected 100 (100 %) at most',
      ],
    ],
    ['a tax given twice', 'taxes.json', t => (t['724'][1].code = 'IPS'), ['taxes.json | 724[1].code | IPS is given twice']],
    [
      'a country in two zones',
      'zones.json',
      z => z.zones[3].countries.push(250),
      ['zones.json | zones[3].countries[11] | 250 is given twice'],
    ],
    [
      'a zone of no country',
      'zones.json',
      z => z.zones[1].countries.push(1),
      ['zones.json | zones[1].countries[56] | 1 is no country of ISO 3166-1'],
    ],
    [
      'an excluded nowhere',
      'zones.json',
      z => z.excludedCountries.push(2),
      ['zones.json | excludedCountries[10] | 2 is no country of ISO 3166-1'],
    ],
    [
      'an origin that is none',
      'zones.json',
      z => (z.zones[0].alsoHome['3'] = [724]),
      ['zones.json | zones[0].alsoHome.3 | 3 is no country of ISO 3166-1'],
    ],
    [
      'no rest',
      'zones.json',
      z => delete z.zones[2].rest,
      [
        'zones.json | zones | 0 zones are the "rest"; expected one',
        'zones.json | zones[2] | Z3 is not exactly one of: home, rest, a list of countries',
      ],
    ],
    [
      'a text of no product',
      information,
      f => (f.questions[2].passages[0].for = ['XXX']),
      [`${information} | questions[2].passages[0].for | XXX is no product`],
    ],
    [
      'a figure that one language lacks',
      information,
      f => (f.questions[3].passages[1].text.it = 'Fino al massimo.'),
      [`${information} | questions[3].passages[1].text.it | names nothing; English names {maxCost}`],
    ],
    [
      'a question that a product leaves open',
      information,
      f => (f.questions[8].passages[0].for = ['ESS']),
      [`${information} | questions[8] | has no answer for HOM`],
    ],
    ['a question left out', information, f => f.questions.splice(6, 1), [`${information} | questions | expected "payment" once`]],
    [
      'an article of no product',
      'documents/conditions.json',
      f => (f.articles[5].except = ['QQQ']),
      ['documents/conditions.json | articles[5].except | QQQ is no product'],
    ],
  ])('report %s', (_what, file, change, problems) => {
    expect(problemsAfter(file, change)).toEqual(problems)
  })

  test('report a figure that a product does not have', () => {
    const problems = problemsAfter(
      information,
      f => (f.questions[0].passages[0].text = Object.fromEntries(['en', 'es', 'fr', 'it', 'pt'].map(l => [l, '{months}']))),
    )
    expect(problems).toContain(`${information} | questions[0].passages[0].text | ESS has no {months}`)
    expect(problems.join()).not.toContain('ANN')
  })
})

describe('the check of the terms after a sale', () => {
  const after = 'after-sale.json'
  test.each<[string, string, Change, string[]]>([
    [
      'a product without terms',
      ess,
      p => delete p.servicing,
      [
        `${information} | questions[8] | has no answer for ESS`,
        `${ess} | servicing | is missing; expected what comes back, such as { "before": "full", "during": "none" }`,
      ],
    ],
    [
      'a product that does not say whom it insures',
      ess,
      p => delete p.settings.insures,
      [`${ess} | settings.insures | is missing; expected who may be insured, "origin" or "anyone"`],
    ],
    ['a refund above the price', ess, p => (p.servicing.during = 120), [`${ess} | servicing.during | is 120; expected at most 100`]],
    [
      'a term that could become longer',
      'products/ANN.json',
      p => (p.servicing.extend = true),
      ['products/ANN.json | servicing.extend | cannot be: a term of 12 months becomes no longer'],
    ],
    [
      'a list that closes for people who may join on the trip',
      'products/ANN.json',
      p => (p.servicing.namesUntilHours = 24),
      [
        'products/ANN.json | servicing.namesUntilHours | does not agree with servicing.midTerm: people join on the trip, or their list closes',
      ],
    ],
    [
      'a tax that neither gives nor keeps',
      'taxes.json',
      t => delete t['724'][0].onReturn,
      ['taxes.json | 724[0].onReturn | is missing; expected "give" or "keep", for when a part of the premium comes back'],
    ],
    [
      'a tax without a name for clients',
      'taxes.json',
      t => delete t['724'][0].name,
      ['taxes.json | 724[0].name | is missing; expected its name for clients, in five languages'],
    ],
    [
      'terms that the information document does not explain',
      'products/STU.json',
      p => (p.servicing.during = 75),
      [`${information} | questions[8] | has no answer for STU`],
    ],
    [
      'days that the information document does not say',
      after,
      a => (a.constants.freeLookDays = 10),
      ['en', 'es', 'fr', 'it', 'pt'].map(
        language =>
          `${information} | questions[8].passages[1].text.${language} | does not say 10 days, the freeLookDays of after-sale.json`,
      ),
    ],
    ['a right that is given twice', after, a => a.rights.push(a.rights[0]), [`${after} | rights[4].id | FR30 is given twice`]],
    [
      'a right for some countries and for all others',
      after,
      a => (a.rights[0].except = [826]),
      [`${after} | rights[0] | is not exactly one of: for some countries, for all except some`],
    ],
    ['a right of no country', after, a => (a.rights[0].for = [999]), [`${after} | rights[0].for[0] | 999 is no country of ISO 3166-1`]],
    [
      'a holiday that does not exist',
      after,
      a => (a.holidays = { 724: ['2027-02-29'] }),
      [`${after} | holidays.724[0] | 2027-02-29 is no day of the calendar`],
    ],
    [
      'a duty on commission of no country',
      after,
      a => (a.commissionDuties = { 999: { code: 'X', label: 'X', rateBp: 200 } }),
      [`${after} | commissionDuties.999 | 999 is no country of ISO 3166-1`],
    ],
  ])('reports %s', (_what, file, change, problems) => {
    expect(problemsAfter(file, change)).toEqual(problems)
  })
})
