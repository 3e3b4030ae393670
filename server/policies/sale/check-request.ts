import { today } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { holdsCardNumber } from '#common/kit/validators/cards.ts'
import { earliestTerms } from '#common/kit/validators/periods.ts'
import { customerType, type People, peopleProblems, type PolicyHolderTypeId, residenceProblems } from '#common/policies/people.ts'
import { personFields, personFieldsWhere } from '#common/people/person.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { Scope } from '#server/kit/scope.ts'
import { brandKeyOf, isFileOf } from '#server/products/public.ts'
import type { Terms, UnitCatalogue } from '#server/quotes/public.ts'
import type { Requested } from './pricing.ts'
import type { GatewayChoice, RegisterRequest } from './registration.ts'
import type { Sales } from './sale-context.ts'

/** Checks what needs no price. Returns the policyholder's type as stored, or refuses. */
export function checkRequest(ask: RegisterRequest, unit: UnitSettings, now: Date): PolicyHolderTypeId {
  const settings = { ...settingsOf(ask, unit, now), draft: ask.saveBudget === true }
  const problems = [...peopleProblems(ask, settings), ...cardNumberProblems(ask), ...instantProblems(ask, now)]
  if (problems.length > 0) throw refuseFields(problems.slice(0, 200))
  // Safe: `peopleProblems` reports an unknown type.
  return customerType(ask.roleFirstUser) as PolicyHolderTypeId
}

/** An instant ahead would prolong the client's right of withdrawal. One of 1970, a machine's zero, would end it though no terms arrived. */
function instantProblems({ termsGivenAt }: RegisterRequest, now: Date): Problem[] {
  const path = 'termsGivenAt'
  const at = termsGivenAt ? Date.parse(termsGivenAt) : now.getTime()
  if (at > now.getTime()) return [{ path, rule: 'past', key: 'policies.terms_ahead' }]
  return at < earliestTerms(now.getTime()) ? [{ path, rule: 'near', key: 'policies.terms_early' }] : []
}

export const isComplete = (ask: RegisterRequest, unit: UnitSettings, now: Date): boolean => problemsOfSale(ask, unit, now).length === 0

/** Returns what a sale of these people would be refused for. A saved quote may lack facts. */
export const problemsOfSale = (ask: People & { startDate: string }, unit: UnitSettings, now: Date): Problem[] =>
  peopleProblems(ask, settingsOf(ask, unit, now))

const settingsOf = (
  { startDate }: { startDate: string },
  { locale, country, showSecondLastName, earliestBirthDate, timeZone }: UnitSettings,
  now: Date,
) => ({
  startDate,
  locale,
  country,
  showSecondLastName,
  earliestBirthDate,
  today: today(now, timeZone),
})

/** spec 3, paymentGateways: only the unit's own. A saved quote may leave it open. */
export function gatewayOf({ cards }: Sales, { gateways }: UnitCatalogue, ask: RegisterRequest): GatewayChoice {
  const chosen = ask.paymentGatewayUUID ? gateways.find(({ id }) => id === ask.paymentGatewayUUID?.toLowerCase()) : undefined
  const path = 'paymentGatewayUUID'
  if (ask.paymentGatewayUUID && !chosen) throw refuseFields([{ path, rule: 'gateway', key: 'policies.gateway' }])
  const gateway = chosen ?? (ask.saveBudget === true ? gateways[0] : undefined)
  if (!gateway) throw refuseFields([{ path, rule: 'required', key: 'validation.required' }])
  if (gateway.name === 'StripeV2' && !cards && ask.saveBudget !== true) throw new Refusal('payment.unavailable', { retryAfter: 60 })
  return gateway
}

/** Checks that the documents shown to the client are those of the terms that are sold. */
export function checkShownDocuments(scope: Scope, { shown }: RegisterRequest, unit: UnitSettings, { offer, commonHash }: Terms): void {
  const edition = { hash: offer.hash, commonHash, brandKey: brandKeyOf(unit) }
  const problems = (shown?.files ?? []).flatMap((id, index): Problem[] =>
    isFileOf(scope, id, edition) ? [] : [{ path: `shown.files[${index}]`, rule: 'shown', key: 'policies.documents_changed' }],
  )
  if (problems.length > 0) throw refuseFields(problems)
}

/** Checks that the terms that are sold insure the travellers, by where they are stated to live. A saved quote, too, is refused. */
export function checkResidences(ask: RegisterRequest, { offer }: Terms): void {
  const problems = residenceProblems(ask, { insures: offer.basis.settings.insures, origin: ask.countryOriginId })
  if (problems.length > 0) throw refuseFields(problems.slice(0, 200))
}

/** Returns the product and the trip to price, with the travellers' birth dates. A saved quote may lack some, and have ages instead. */
export function requestedIn(ask: RegisterRequest, holderType: PolicyHolderTypeId): Requested {
  const { productUUID, insuranceType, paxNumber, saveBudget, users } = ask
  const travellers = holderType === 1 ? users : users.slice(1)
  const { ages, ...trip } = tripIn(ask)
  const birthDates = Array.from({ length: paxNumber }, (_, index) => travellers[index]?.birthDate || null)
  return { productUUID, insuranceType, trip: { ...trip, birthDates, ages: saveBudget === true ? ages : undefined } }
}

/** Email, phone and postal code have formats of their own, which a card number does not fit. */
const personTexts = personFieldsWhere('is', 'text').filter(field => personFields[field].part !== 'reach' && field !== 'zipCode')

/** Finds card numbers typed into text fields. Only the card network may receive them, so they are refused before being stored. */
function cardNumberProblems({ buReference, users }: RegisterRequest): Problem[] {
  const texts: [path: string, text: unknown][] = [
    ['buReference', buReference],
    ...users.flatMap((user, index) => personTexts.map((field): [string, unknown] => [`users[${index}].${field}`, user[field]])),
  ]
  return texts.filter(([, text]) => holdsCardNumber(text)).map(([path]) => ({ path, rule: 'cardNumber', key: 'policies.card_number' }))
}
