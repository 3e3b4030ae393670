import type { ReactNode } from 'react'
import { ageOn } from '#common/kit/dates.ts'
import { fromCents, toCents } from '#common/kit/money.ts'
import { fullName } from '#common/kit/text.ts'
import { showAges } from '#common/kit/typed/written-ages.ts'
import type { PersonLine } from '#common/people/person.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import type { TripDraft } from '#common/quotes/trip.ts'
import { useCountryName, useUnit } from '#portal/business-unit/settings.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Disclosure } from '#portal/kit/page/disclosure.tsx'
import { Properties, Property } from '#portal/kit/page/properties.tsx'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { PriceUntil } from '../price-until.tsx'
import type { PolicyDetail } from '../policy-query.ts'

type Person = PolicyDetail['users'][number]

/** The property that shows each line of the policyholder. The name is in the title. */
const holderLabels = {
  name: null,
  birthDate: 'policies.holder',
  document: 'policies.holder',
  email: 'policies.contact',
  phone: 'policies.contact',
  address: 'policies.address',
  residence: 'policies.residence',
} as const satisfies Record<PersonLine, string | null>
type HolderLabel = NonNullable<(typeof holderLabels)[PersonLine]>

/** The policyholder with contact data, and the travellers. */
export function People({ detail }: { detail: PolicyDetail }) {
  const { words } = useWords()
  const { date } = useFormat()
  const { country } = useUnit().configuration
  const nameOfCountry = useNameOfCountry()
  const holder = detail.users.find(({ holder }) => holder)
  const holderProperties = (person: Person): Record<HolderLabel, ReactNode> => ({
    'policies.holder': [documentOf(person, words), person.birthDate && date(person.birthDate)].filter(Boolean).join(' · '),
    'policies.contact': (person.email || person.phoneNumber) && <Contact person={person} />,
    'policies.address': [
      person.address,
      [person.zipCode, person.city].filter(Boolean).join(' '),
      person.state !== person.city && person.state,
    ]
      .filter(Boolean)
      .join(', '),
    'policies.residence': person.residenceCountryId !== country && nameOfCountry(person.residenceCountryId),
  })
  return (
    <Properties>
      {holder &&
        Object.entries(holderProperties(holder)).map(([label, value]) => (
          // Safe: the labels are the record's.
          <Property key={label} name={words(label as HolderLabel)}>
            {value}
          </Property>
        ))}
      <Property name={words('policies.travellers')}>
        <Travellers detail={detail} />
      </Property>
    </Properties>
  )
}

/** The price, the payments, and what the price was made for. */
export function Terms({ detail }: { detail: PolicyDetail }) {
  const { words } = useWords()
  const { date, money, moment } = useFormat()
  const nameOfCountry = useNameOfCountry()
  const { policy } = detail
  const { origin, amountCents, reservationDate } = tripIn(detail.trip)
  return (
    <Properties>
      <Property name={words('policies.price')}>{detail.price.total !== 0 && <Price detail={detail} />}</Property>
      <Property name={words('policies.price_until')}>{policy.priceValidUntil && <PriceUntil at={policy.priceValidUntil} />}</Property>
      <Payments detail={detail} />
      <Property name={words('policies.origin')}>{nameOfCountry(origin)}</Property>
      <Property name={words('policies.trip_price')}>
        {amountCents
          ? [money(fromCents(amountCents), policy.currency), reservationDate && `${words('policies.reserved_on')} ${date(reservationDate)}`]
              .filter(Boolean)
              .join(' · ')
          : undefined}
      </Property>
      <Property name={words('policies.column_reference')}>{policy.buReference}</Property>
      <Property name={words('policies.column_seller')}>{`${policy.username} · ${moment(policy.createdAt)}`}</Property>
    </Properties>
  )
}

function useNameOfCountry(): (id: number | null | undefined) => string | undefined {
  const { countriesList } = useUnit().configuration
  return id => countriesList.find(country => country.id === id)?.name
}

/** Returns a function that names the countries of a trip. */
export function useDestinations(): (detail: PolicyDetail) => string {
  const { list } = useFormat()
  const countryName = useCountryName()
  return detail => list((tripIn(detail.trip).destinations ?? []).map(countryName))
}

const link = 'underline underline-offset-4'

const Contact = ({ person: { email, phonePrefix, phoneNumber } }: { person: Person }) => (
  <span className="flex flex-wrap gap-x-2">
    {email && (
      <a href={`mailto:${email}`} className={link}>
        {email}
      </a>
    )}
    {phoneNumber && (
      <a href={`tel:${phonePrefix}${phoneNumber}`} className={link}>
        {[phonePrefix, phoneNumber].filter(Boolean).join(' ')}
      </a>
    )}
  </span>
)

/** The travellers beyond whom the list is folded. */
const mostShown = 4

/** A line for each traveller with document and age. While not all are known, and above a folded list, their number and ages. */
function Travellers({ detail }: { detail: PolicyDetail }) {
  const { words } = useWords()
  const { date } = useFormat()
  const travellers = detail.users.filter(({ traveller }) => traveller)
  const { count, ages, isComplete } = partyOf(travellers, tripIn(detail.trip), detail.policy.startDate)
  const counted = [words('policies.travellers_count', { count }), ages && words('policies.ages', { ages })].filter(Boolean).join(' · ')
  if (!travellers.some(person => fullName(person))) return counted
  const list = (
    <ol className="grid gap-1.5">
      {travellers.map((person, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows are never moved, so the index is a stable key
        <li key={index} className="flex flex-wrap justify-end gap-x-4">
          <span className="min-w-0 flex-1 basis-32">{fullName(person) || words('policies.nobody_yet')}</span>
          <span className="text-quiet">{documentOf(person, words)}</span>
          {person.birthDate && (
            <span className="w-6 text-right text-quiet" title={date(person.birthDate)}>
              {ageOn(person.birthDate, detail.policy.startDate)}
            </span>
          )}
        </li>
      ))}
    </ol>
  )
  if (travellers.length > mostShown)
    return (
      <Disclosure slim summary={counted}>
        {list}
      </Disclosure>
    )
  return (
    <>
      {!isComplete && <p>{counted}</p>}
      {list}
    </>
  )
}

const documentOf = ({ docNumber, documentKind }: Person, words: Words): string =>
  docNumber && documentKind === 'passport' ? words('policies.passport', { number: docNumber }) : docNumber

function Payments({ detail: { payments } }: { detail: PolicyDetail }) {
  const { words } = useWords()
  const { money, moment } = useFormat()
  // An open payment on account is not shown, as the agency pays nothing before the sale.
  const visible = payments.filter(hasState).filter(({ gateway, state }) => !(gateway === 'Deferred' && state === 'open'))
  return (
    <Property name={words('policies.payments')}>
      {visible.length > 0 && (
        <ul className="grid gap-1.5">
          {visible.map(({ uuid, gateway, state, amount, refunded, transfers, currency, at }) => (
            <li key={uuid} className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span>
                {[
                  words(gateway === 'Deferred' ? 'policies.by_account' : 'policies.by_card'),
                  moment(at),
                  refunded > 0 && words('policies.refunded', { amount: money(refunded, currency) }),
                  ...transfers.map(({ amount: sent, reference }) =>
                    words('policies.transferred', { amount: money(sent, currency), reference }),
                  ),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              <span className="inline-flex items-baseline gap-2">
                <State tone={stateOf({ state, amount, refunded, transfers }).tone}>
                  {words(stateOf({ state, amount, refunded, transfers }).label)}
                </State>{' '}
                {money(amount, currency)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Property>
  )
}

type Line = PolicyDetail['price']['lines'][number]

/** Premium and taxes in one line, and folded each part: a bar in proportion, and a line for each in the same shade. */
function Price({ detail: { price } }: { detail: PolicyDetail }) {
  const { words } = useWords()
  const { cents, money } = useFormat()
  const nameOf = ({ kind, code, label }: Line): string => {
    if (kind === 'tax') return label ?? code ?? ''
    return words(kind === 'cancellation' ? 'policies.line_cancellation' : 'policies.line_travel')
  }
  const parts = price.lines.filter(({ kind, amount }) => kind !== 'commission' && amount !== 0)
  const shadeOf = (index: number) => shades[Math.min(index, shades.length - 1)]
  const sumOf = (isTax: boolean) =>
    cents(
      parts.reduce((sum, { kind, amount }) => ((kind === 'tax') === isTax ? sum + (toCents(amount) ?? 0) : sum), 0),
      price.currency,
    )
  return (
    <>
      {parts.length > 1 ? (
        <Disclosure slim summary={words('policies.price_with_taxes', { premium: sumOf(false), taxes: sumOf(true) })}>
          <div aria-hidden="true" className="mt-2 flex h-1 gap-0.5 overflow-hidden rounded-full">
            {parts.map((line, index) => (
              <span
                key={`${line.kind} ${line.code}`}
                className={shadeOf(index)}
                style={{ flexGrow: Math.abs(line.amount) / price.total }}
              />
            ))}
          </div>
          <ul className="mt-1 grid gap-0.5">
            {parts.map((line, index) => (
              <li key={`${line.kind} ${line.code}`} className="flex items-center gap-2">
                <span aria-hidden="true" className={`size-2 shrink-0 rounded-sm ${shadeOf(index)}`} />
                <span className="min-w-0 flex-1">{nameOf(line)}</span>
                <span>{money(line.amount, price.currency)}</span>
              </li>
            ))}
          </ul>
        </Disclosure>
      ) : (
        sumOf(false)
      )}
      {price.provisional && <p className="text-sm text-quiet">{words('policies.provisional')}</p>}
    </>
  )
}

const shades = ['bg-ink', 'bg-faint']

type Traveller = { name: string; birthDate: string | null }

/**
 * Returns the number of travellers, and their ages if known: by birth date, else as typed in step 1. The party is complete once each has a name and a
 * birth date.
 */
export function partyOf(travellers: readonly Traveller[], trip: Pick<TripDraft, 'travellers' | 'ages'>, startDate: string) {
  const count = trip.travellers ?? travellers.length
  const ages = Array.from({ length: count }, (_, index) => {
    const born = travellers[index]?.birthDate
    return born ? ageOn(born, startDate) : trip.ages?.[index]
  })
  const isComplete = travellers.length === count && travellers.every(({ name, birthDate }) => name && birthDate)
  return { count, ages: showAges(ages, count), isComplete }
}

type Payment = PolicyDetail['payments'][number]
type Shown = Pick<Payment, 'amount' | 'refunded' | 'transfers'> & { state: keyof typeof states }

/** The shown payment states. An attempt abandoned before any payment has none. */
const states = {
  open: { tone: 'neutral', label: 'policies.payment_open' },
  settled: { tone: 'success', label: 'policies.payment_settled' },
  unwanted: { tone: 'warning', label: 'policies.payment_unwanted' },
} as const

const whole = { tone: 'over', label: 'policies.payment_refunded' } as const
const part = { tone: 'info', label: 'policies.payment_partly_refunded' } as const

const hasState = (payment: Payment): payment is Payment & Shown => payment.state in states

/** Returns the text and the tone of a payment's state. Green is for money that stays. */
export function stateOf({ state, amount, refunded, transfers }: Shown) {
  const returned = transfers.reduce((sum, transfer) => sum + (toCents(transfer.amount) ?? 0), toCents(refunded) ?? 0)
  if (state !== 'settled' || returned <= 0) return states[state]
  return returned >= (toCents(amount) ?? 0) ? whole : part
}
