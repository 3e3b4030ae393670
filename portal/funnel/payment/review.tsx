import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { fullName } from '#common/kit/text.ts'
import type { PersonLine } from '#common/people/person.ts'
import type { User } from '#common/policies/people.ts'
import { peopleOf } from '#common/policies/step2.ts'
import type { ManyTrips } from '#common/quotes/rating/many-trips.ts'
import type { RatedPrice } from '#common/quotes/rating/price.ts'
import { useCountryName, useUnit } from '#portal/business-unit/settings.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import type { peopleSoFar } from '../people-form.ts'
import type { TripForm } from '../store.ts'
import { CoverTimeline } from './cover-timeline.tsx'

type Props = {
  trip: TripForm
  many: ManyTrips | undefined
  people: ReturnType<typeof peopleSoFar>
  price: RatedPrice | undefined
  onLeave: (() => void) | undefined
}

/** Summarises the policyholder, the travellers and the days of cover, with a link to edit them. The trip is above in one line. */
export function Review({ trip, many, people, price, onLeave }: Props) {
  const { words } = useWords()
  const { date } = useFormat()
  const { configuration } = useUnit()
  const countryName = useCountryName()
  const { users, roleFirstUser } = peopleOf(people, Number(trip.travelers))
  const [policyholder, ...others] = users
  const residence = policyholder?.residenceCountryId ?? configuration.country
  const travellers = roleFirstUser === 1 ? users : others
  const address = [policyholder?.address, policyholder?.zipCode, policyholder?.city, policyholder?.state].filter(Boolean).join(', ')
  const lines: Record<PersonLine, readonly [string, string | null | undefined] | null> = {
    name: [words('funnel.full_name'), fullName(policyholder)],
    // The travellers' birth dates are shown below.
    birthDate: null,
    document: [
      words(policyholder?.companyName ? 'funnel.businessNumber' : 'funnel.documentNumber'),
      policyholder && documentOf(policyholder, words),
    ],
    email: [words('funnel.email'), policyholder?.email],
    phone: [words('funnel.phoneNumber'), [policyholder?.phonePrefix, policyholder?.phoneNumber].filter(Boolean).join(' ')],
    address: [words('funnel.address'), address],
    residence:
      residence === configuration.country && residence === trip.coverageScope ? null : [words('funnel.residence'), countryName(residence)],
  }
  return (
    <Card title={words('funnel.holder.title')} actions={<Edit step="2" label={words('funnel.edit_people')} onLeave={onLeave} />}>
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[8rem_minmax(0,1fr)]">
        {Object.entries(lines).map(
          ([line, fact]) =>
            fact && (
              <Fact key={line} name={fact[0]}>
                {fact[1]}
              </Fact>
            ),
        )}
        <Fact name={words('funnel.coverageScope')}>{countryName(trip.coverageScope ?? 0)}</Fact>
        {people.uploadFile && <Fact name={words('funnel.uploadFile')}>{people.uploadFile.name}</Fact>}
      </dl>
      <h3 className="border-t border-hair pt-(--gap) font-semibold">{words('funnel.travellers_count', { count: travellers.length })}</h3>
      <ol className="grid max-h-80 overflow-auto">
        {travellers.map((traveller, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows are never moved, so the index is a stable key
          <li key={index} className="flex flex-wrap justify-between gap-x-4 border-t border-hair py-1.5 first:border-0">
            <span className="font-semibold">{fullName(traveller)}</span>
            <span className="text-quiet">
              {[date(traveller.birthDate ?? ''), documentOf(traveller, words)].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ol>
      <CoverTimeline
        startDate={trip.startDate}
        endDate={trip.endDate}
        many={many}
        hasCancellation={(price?.cancellationPremium ?? 0) > 0}
      />
    </Card>
  )
}

const documentOf = ({ docNumber, documentKind }: User, words: Words): string =>
  docNumber && documentKind === 'passport' ? words('funnel.passport', { number: docNumber }) : (docNumber ?? '')

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-sm text-quiet">{name}</dt>
    <dd className="break-words">{children}</dd>
  </>
)

const Edit = ({ step, label, onLeave }: { step: string; label: string; onLeave: (() => void) | undefined }) => (
  <Link
    to="/funnel"
    search={{ step }}
    onClick={onLeave}
    className="inline-flex min-h-(--control) items-center text-accent-ink underline underline-offset-4"
  >
    {label}
  </Link>
)
