import type { ResponseOf } from '#common/kit/call.ts'
import type { policyDetail } from '#common/policies/calls.ts'
import { destinationsIn } from '#common/quotes/destinations.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Badge } from '#portal/kit/ui/card.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { Fact, Facts, Part, Row } from './part.tsx'

export type Detail = ResponseOf<typeof policyDetail>
type Person = Detail['users'][number]

/** The trip as it was registered. */
export function Trip({ detail: { trip, policy, users, priceValidUntil } }: { detail: Detail }) {
  const { words } = useWords()
  const { date, list, money, moment } = useFormat()
  const { countriesList } = useUnit().configuration
  const nameOf = (id: number) => countriesList.find(country => country.id === id)?.name ?? String(id)
  // Safe: the trip is stored as the register call validated it, which takes these fields.
  const { countryOriginId, countriesDestinationId, paxNumber, insurancedAmount, reservationDate } = trip as RegisteredTrip
  return (
    <Part title={words('policies.trip')}>
      <Facts>
        <Fact name={words('policies.origin')}>{countryOriginId && nameOf(countryOriginId)}</Fact>
        <Fact name={words('policies.destinations')}>
          {countriesDestinationId && list(destinationsIn(countriesDestinationId).map(nameOf))}
        </Fact>
        <Fact name={words('policies.travellers')}>{paxNumber ?? users.filter(({ traveller }) => traveller).length}</Fact>
        <Fact name={words('policies.trip_price')}>{insurancedAmount ? money(insurancedAmount, policy.currency) : undefined}</Fact>
        <Fact name={words('policies.reserved_on')}>{reservationDate && date(reservationDate)}</Fact>
        <Fact name={words('policies.price_until')}>{policy.status === 'budgeted' && moment(priceValidUntil)}</Fact>
      </Facts>
    </Part>
  )
}

type RegisteredTrip = {
  countryOriginId?: number
  countriesDestinationId?: string
  paxNumber?: number
  insurancedAmount?: number | null
  reservationDate?: string | null
}

export function People({ detail: { users } }: { detail: Detail }) {
  const { words } = useWords()
  const { date } = useFormat()
  const { country, countriesList } = useUnit().configuration
  const holder = users.find(({ holder }) => holder)
  return (
    <>
      {holder && isKnown(holder) && (
        <Part title={words('policies.holder')}>
          <Facts>
            <Fact name={words('policies.name')}>{nameOf(holder)}</Fact>
            <Fact name={words('policies.document')}>{documentOf(holder, words)}</Fact>
            <Fact name={words('policies.birth_date')}>{holder.birthDate && date(holder.birthDate)}</Fact>
            <Fact name={words('policies.email')}>
              {holder.email && (
                <a href={`mailto:${holder.email}`} className="text-accent-ink underline underline-offset-4">
                  {holder.email}
                </a>
              )}
            </Fact>
            <Fact name={words('policies.phone')}>
              {holder.phoneNumber && (
                <a href={`tel:${holder.phonePrefix}${holder.phoneNumber}`} className="text-accent-ink underline underline-offset-4">
                  {[holder.phonePrefix, holder.phoneNumber].filter(Boolean).join(' ')}
                </a>
              )}
            </Fact>
            <Fact name={words('policies.address')}>
              {[holder.address, holder.zipCode, holder.city, holder.state].filter(Boolean).join(', ')}
            </Fact>
            <Fact name={words('policies.residence')}>
              {countriesList.find(({ id }) => id === holder.residenceCountryId && id !== country)?.name}
            </Fact>
          </Facts>
        </Part>
      )}
      <Part title={words('policies.travellers')}>
        <ol className="grid max-h-80 overflow-auto">
          {users
            .filter(({ traveller }) => traveller)
            .map((person, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows are never moved, so the index is a stable key
              <Row key={index} name={nameOf(person) || words('policies.nobody_yet')} detail={documentOf(person, words)}>
                <span className="text-quiet">{person.birthDate && date(person.birthDate)}</span>
              </Row>
            ))}
        </ol>
      </Part>
    </>
  )
}

const documentOf = ({ docNumber, documentKind }: Person, words: Words): string =>
  docNumber && documentKind === 'passport' ? words('policies.passport', { number: docNumber }) : docNumber

/** True if anything is known of a person: a saved quote may not even have a name. */
const isKnown = (person: Person): boolean =>
  [nameOf(person), person.birthDate, person.docNumber, person.email, person.phoneNumber, person.address].some(Boolean)

const nameOf = (person: Person): string => person.companyName || [person.name, person.middleName, person.lastName].filter(Boolean).join(' ')

export function Price({ detail: { price } }: { detail: Detail }) {
  const { words } = useWords()
  const { money, number } = useFormat()
  const nameOf = ({ kind, code, label, rate }: Detail['price']['lines'][number]): string => {
    if (kind === 'tax') return label ?? code ?? ''
    if (kind === 'commission') return words('policies.line_commission', { percent: number(rate ?? 0) })
    return words(kind === 'cancellation' ? 'policies.line_cancellation' : 'policies.line_travel')
  }
  const ofTotal = price.lines.filter(({ kind, amount }) => kind !== 'commission' && amount !== 0)
  const commission = price.lines.find(({ kind }) => kind === 'commission')
  return (
    <Part title={words('policies.price')}>
      <ul>
        {ofTotal.map(line => (
          <Row key={`${line.kind} ${line.code}`} name={nameOf(line)}>
            {money(line.amount, price.currency)}
          </Row>
        ))}
        <Row name={<span className="font-semibold">{words('policies.column_total')}</span>}>
          <span className="font-semibold">{money(price.total, price.currency)}</span>
        </Row>
        {commission && (
          <Row name={<span className="text-quiet">{nameOf(commission)}</span>}>
            <span className="text-quiet">{money(commission.amount, price.currency)}</span>
          </Row>
        )}
      </ul>
      {price.provisional && <p className="text-quiet">{words('policies.provisional')}</p>}
    </Part>
  )
}

export function Payments({ detail: { payments } }: { detail: Detail }) {
  const { words } = useWords()
  const { money, moment } = useFormat()
  // An open payment on account is not shown: the agency pays nothing before the sale.
  const visible = payments.filter(hasState).filter(({ gateway, state }) => !(gateway === 'Deferred' && state === 'open'))
  if (visible.length === 0) return null
  return (
    <Part title={words('policies.payments')}>
      <ul>
        {visible.map(({ uuid, gateway, state, amount, refunded, currency, at }) => {
          const { tone, label } = states[state]
          return (
            <Row
              key={uuid}
              name={words(gateway === 'Deferred' ? 'policies.by_account' : 'policies.by_card')}
              detail={[moment(at), refunded > 0 && words('policies.refunded', { amount: money(refunded, currency) })]
                .filter(Boolean)
                .join(' · ')}
            >
              <span className="inline-flex items-center gap-2">
                <Badge tone={tone}>{words(label)}</Badge> {money(amount, currency)}
              </span>
            </Row>
          )
        })}
      </ul>
    </Part>
  )
}

/** The payment states that are shown. An attempt abandoned before anything was paid is not. */
const states = {
  open: { tone: 'neutral', label: 'policies.payment_open' },
  settled: { tone: 'success', label: 'policies.payment_settled' },
  unwanted: { tone: 'warning', label: 'policies.payment_unwanted' },
} as const

type Payment = Detail['payments'][number]

const hasState = (payment: Payment): payment is Payment & { state: keyof typeof states } => payment.state in states
