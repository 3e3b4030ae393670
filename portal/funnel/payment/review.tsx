import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { User } from '#common/policies/people.ts'
import { peopleOf, type Step2 } from '#common/policies/step2.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { fullName } from '../people-form.ts'
import type { TripForm } from '../store.ts'

type Props = { product: Product; trip: TripForm; people: Step2; onLeave: (() => void) | undefined }

/** Summarises the trip, policyholder and travellers, with links to edit them. */
export function Review({ product, trip, people, onLeave }: Props) {
  const { words } = useWords()
  const { date, list, money } = useFormat()
  const { configuration } = useUnit()
  const nameOf = (id: number) => configuration.countriesList.find(country => country.id === id)?.name ?? String(id)
  const { users, roleFirstUser } = peopleOf(people, Number(trip.travelers))
  const [policyholder, ...others] = users
  const residence = policyholder?.residenceCountryId ?? configuration.country
  const travellers = roleFirstUser === 1 ? users : others
  const address = [
    policyholder?.address,
    policyholder?.zipCode,
    policyholder?.city,
    policyholder?.state,
    residence === configuration.country ? '' : nameOf(residence),
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <>
      <Card title={words('funnel.trip.title')} actions={<Edit step="1" label={words('funnel.edit_trip')} onLeave={onLeave} />}>
        <Facts>
          <Fact name={words('funnel.product')}>{product.name}</Fact>
          <Fact name={words('funnel.dates')}>
            {date(trip.startDate)} – {date(trip.endDate)}
          </Fact>
          <Fact name={words('funnel.coverageScope')}>{nameOf(trip.coverageScope ?? 0)}</Fact>
          <Fact name={words('funnel.mainDestination')}>{list(trip.mainDestination.map(nameOf))}</Fact>
          {product.settings.hasAmountCancellation && (
            <Fact name={words('funnel.priceTravel')}>{money(Number(trip.priceTravel), configuration.currency)}</Fact>
          )}
        </Facts>
      </Card>
      <Card title={words('funnel.holder.title')} actions={<Edit step="2" label={words('funnel.edit_people')} onLeave={onLeave} />}>
        <Facts>
          <Fact name={words('funnel.full_name')}>{policyholder?.companyName ?? fullName(policyholder)}</Fact>
          <Fact name={words('funnel.documentNumber')}>{policyholder && documentOf(policyholder, words)}</Fact>
          <Fact name={words('funnel.email')}>{policyholder?.email}</Fact>
          <Fact name={words('funnel.phoneNumber')}>{[policyholder?.phonePrefix, policyholder?.phoneNumber].filter(Boolean).join(' ')}</Fact>
          <Fact name={words('funnel.address')}>{address}</Fact>
        </Facts>
      </Card>
      <Card title={words('funnel.travellers_count', { count: travellers.length })}>
        <ol className="grid max-h-80 gap-1 overflow-auto">
          {travellers.map((traveller, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows are never moved, so the index is a stable key
            <li key={index} className="flex flex-wrap justify-between gap-x-4 border-b border-line py-1.5 last:border-0">
              <span className="font-medium">{fullName(traveller)}</span>
              <span className="text-quiet">
                {[documentOf(traveller, words), date(traveller.birthDate ?? '')].filter(Boolean).join(' · ')}
              </span>
            </li>
          ))}
        </ol>
      </Card>
    </>
  )
}

const documentOf = ({ docNumber, documentKind }: User, words: Words): string =>
  docNumber && documentKind === 'passport' ? words('funnel.passport', { number: docNumber }) : (docNumber ?? '')

const Facts = ({ children }: { children: ReactNode }) => <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">{children}</dl>

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-0.5">
    <dt className="text-sm text-quiet">{name}</dt>
    <dd className="font-medium break-words">{children}</dd>
  </div>
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
