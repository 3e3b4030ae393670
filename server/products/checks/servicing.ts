import { isCountry } from '#common/geography/countries.ts'
import { isDate } from '#common/kit/dates.ts'
import type { CatalogueProduct } from '#common/products/catalogue.ts'
import type { AfterSale, Right, Taxes } from '#common/products/tariff.ts'
import type { Catalogue } from '#server/products/catalogue/files.ts'
import type { CatalogueProblem } from '#server/products/catalogue/shape.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { commonContent, productContent } from '../queries.ts'
import type { CommonContent, ProductContent } from '../tables.ts'

type PathProblem = [path: string, problem: string]

/** Checks what may happen to a policy after its sale: terms of each product, returns of each tax, and rights that apply somewhere. */
export function checkServicing({ products = [], taxes, afterSale }: Partial<Catalogue>): CatalogueProblem[] {
  return [
    ...products.flatMap(product =>
      checkTerms(product).map(([path, problem]) => ({ file: `products/${product.code}.json`, path, problem })),
    ),
    ...(taxes ? checkReturns(taxes).map(([path, problem]) => ({ file: 'taxes.json', path, problem })) : []),
    ...(afterSale ? checkAfterSale(afterSale).map(([path, problem]) => ({ file: 'after-sale.json', path, problem })) : []),
  ]
}

function checkTerms({ servicing, tariff, settings }: CatalogueProduct): PathProblem[] {
  if (!servicing) return [['servicing', 'is missing; expected what comes back, such as { "before": "full", "during": "none" }']]
  const { extend, midTerm, namesUntilHours } = servicing
  return [
    ...(extend && tariff.base.kind === 'term'
      ? [['servicing.extend', `cannot be: a term of ${tariff.base.months} months becomes no longer`] satisfies PathProblem]
      : []),
    ...(extend && tariff.base.kind === 'none'
      ? [['servicing.extend', 'cannot be: nothing of the trip itself is insured'] satisfies PathProblem]
      : []),
    ...(midTerm && tariff.base.kind === 'none'
      ? [['servicing.midTerm', 'cannot be: nothing of the trip itself is insured'] satisfies PathProblem]
      : []),
    ...(midTerm && namesUntilHours !== undefined
      ? [
          [
            'servicing.namesUntilHours',
            'does not agree with servicing.midTerm: people join on the trip, or their list closes',
          ] satisfies PathProblem,
        ]
      : []),
    ...(namesUntilHours !== undefined && settings.maxPax === 1
      ? [['servicing.namesUntilHours', 'closes a list of people, and settings.maxPax is 1'] satisfies PathProblem]
      : []),
  ]
}

const checkReturns = (taxes: Taxes): PathProblem[] =>
  Object.entries(taxes).flatMap(([id, lines]) =>
    lines.flatMap(({ onReturn, name }, index) => {
      const problems: PathProblem[] = []
      if (!onReturn)
        problems.push([`${id}[${index}].onReturn`, 'is missing; expected "give" or "keep", for when a part of the premium comes back'])
      if (!name) problems.push([`${id}[${index}].name`, 'is missing; expected its name for clients, in five languages'])
      return problems
    }),
  )

function checkAfterSale({ rights, holidays, commissionDuties = {} }: AfterSale): PathProblem[] {
  const ids = rights.map(right => right.id)
  return [
    ...ids.flatMap((id, index): PathProblem[] => (ids.indexOf(id) === index ? [] : [[`rights[${index}].id`, `${id} is given twice`]])),
    ...rights.flatMap((right, index) => checkRight(right).map(([path, problem]): PathProblem => [`rights[${index}]${path}`, problem])),
    ...Object.keys(commissionDuties).flatMap((id): PathProblem[] =>
      isCountry(Number(id)) ? [] : [[`commissionDuties.${id}`, notACountry(id)]],
    ),
    ...Object.entries(holidays).flatMap(([id, days]): PathProblem[] => [
      ...(isCountry(Number(id)) ? [] : [[`holidays.${id}`, notACountry(id)] satisfies PathProblem]),
      ...days.flatMap((day, index): PathProblem[] => {
        const path = `holidays.${id}[${index}]`
        const problem = isCalendarDay(day) ? 'is given twice' : 'is no day of the calendar'
        return isCalendarDay(day) && days.indexOf(day) === index ? [] : [[path, `${day} ${problem}`]]
      }),
    ]),
  ]
}

function checkRight({ for: only, except, days }: Right): PathProblem[] {
  const named = { for: only ?? [], except: except ?? [] }
  return [
    ...((only === undefined) === (except === undefined)
      ? [['', 'is not exactly one of: for some countries, for all except some'] satisfies PathProblem]
      : []),
    ...Object.entries(named).flatMap(([list, countries]) =>
      countries.flatMap((id, index): PathProblem[] => (isCountry(id) ? [] : [[`.${list}[${index}]`, notACountry(id)]])),
    ),
    ...(days === 0 ? [['.days', 'is 0, so the right would end with the day of the sale'] satisfies PathProblem] : []),
  ]
}

const notACountry = (id: number | string): string => `${id} is no country of ISO 3166-1`

const isCalendarDay = (day: string): boolean => isDate(day)

/** Returns the missing fields that a product's policies need for changes and cancellations. */
export async function lackingForChanges(tx: UnitTx, productId: string): Promise<string[]> {
  const product = await productContent(tx, productId)
  return lackingTerms((await commonContent(tx)).content, product ? [product] : [])
}

// Versions that were loaded before policies could be changed may lack both: the schema lets them.
export const lackingTerms = ({ afterSale }: CommonContent, products: readonly ProductContent[]): string[] => [
  ...(afterSale ? [] : ['after-sale.json']),
  ...products.filter(({ servicing }) => !servicing).map(({ code }) => `products/${code}.json: servicing`),
]
