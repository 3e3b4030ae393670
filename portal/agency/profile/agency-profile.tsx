import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { agency, agencyChanges } from '#common/agency/calls.ts'
import { countryName } from '#common/geography/countries.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { useFormat } from '#portal/kit/format.ts'
import { languageNames } from '#portal/kit/language.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { displayValue, fields, labelOf, type Profile, valueAt } from './profile.ts'

/** Only users who may change the profile load its form. */
const ProfileForm = lazy(() => import('./profile-form.tsx').then(({ ProfileForm }) => ({ default: ProfileForm })))
const LogoCard = lazy(() => import('./logo-card.tsx').then(({ LogoCard }) => ({ default: LogoCard })))

/** The agency's profile: a form for users who may change it, else read-only. */
export function AgencyProfile() {
  const mayChange = useMay('b2b-agency-update')
  const { data, error, refetch } = useQuery({ queryKey: ['agency'], ...loadingOf(agency, {}) })
  if (error && !data) return <LoadError error={error} retry={() => void refetch()} />
  const loading = (
    <Loading className="grid gap-(--card) lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Skeleton className="h-128 w-full" />
      <Skeleton className="h-80 w-full" />
    </Loading>
  )
  if (!data) return loading
  return (
    <Suspense fallback={loading}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-(--card) lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-(--card)">
          {mayChange ? <ProfileForm profile={data} /> : <ReadOnlyProfile profile={data} />}
          <Changes />
        </div>
        <div className="grid gap-(--card)">
          {mayChange ? <LogoCard profile={data} /> : <Logo logo={data.logo} />}
          <ManagedCard profile={data} />
        </div>
      </div>
    </Suspense>
  )
}

const Logo = ({ logo }: { logo: string }) => (
  <Card>
    <img src={logo} alt="" className="size-24 justify-self-center object-contain" />
  </Card>
)

/** The agency's profile for users who may see it but not change it. */
function ReadOnlyProfile({ profile }: { profile: Profile }) {
  const { words, locale } = useWords()
  const parts = [
    { part: 'address.', title: words('agency.part.address') },
    { part: 'contactInfo.', title: words('agency.part.contact') },
    { part: 'billingInfo.', title: words('agency.part.billing') },
  ]
  return parts.map(({ part, title }) => (
    <Card key={part} title={title}>
      <Facts>
        {fields
          .filter(({ path }) => path.startsWith(part))
          .map(({ path, label }) => (
            <Fact key={path} name={words(label)}>
              {displayValue(path, valueAt(profile, path), locale)}
            </Fact>
          ))}
      </Facts>
    </Card>
  ))
}

const Facts = ({ children }: { children: ReactNode }) => <dl className="grid gap-x-(--gap) gap-y-3 sm:grid-cols-2">{children}</dl>

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-sm text-quiet">{name}</dt>
    <dd className="break-words">{children}</dd>
  </div>
)

/** The facts that the insurer sets, read-only. */
function ManagedCard({ profile }: { profile: Profile }) {
  const { words, locale } = useWords()
  const { quoteHours } = useUnit().configuration
  const { brandName, legalName, taxId, managementGroup, supportEmail, country, timeZone, currency, twoFactorRequired } = profile
  return (
    <Card title={words('agency.managed.title')}>
      <p className="text-sm text-quiet">{words('agency.managed.intro', { group: managementGroup })}</p>
      <dl className="grid gap-3">
        <Fact name={words('agency.managed.brand')}>{brandName}</Fact>
        <Fact name={words('agency.managed.legal_name')}>{legalName}</Fact>
        <Fact name={words('agency.managed.tax_id')}>{taxId}</Fact>
        <Fact name={words('agency.managed.support')}>{supportEmail}</Fact>
        <Fact name={words('agency.managed.language')}>
          {languageNames[profile.locale]} · {countryName(country, locale)}
        </Fact>
        <Fact name={words('agency.managed.currency')}>
          {currency} · {timeZone.replaceAll('_', ' ')}
        </Fact>
        <Fact name={words('agency.managed.quotes')}>{words('agency.managed.quote_hours', { hours: quoteHours })}</Fact>
        <Fact name={words('account.two_factor.title')}>
          {words(twoFactorRequired ? 'agency.managed.two_factor_all' : 'agency.managed.two_factor_own')}
        </Fact>
      </dl>
    </Card>
  )
}

type Change = ResponseOf<typeof agencyChanges>['changes'][number]

/** The history of the agency's profile, newest first: users, times, and values before and after. */
function Changes() {
  const { words } = useWords()
  const { moment } = useFormat()
  const { data, error, refetch } = useQuery({ queryKey: ['agency-changes'], ...loadingOf(agencyChanges, {}) })
  return (
    <Card title={words('agency.changes.title')}>
      {error && !data && <LoadError small error={error} retry={() => void refetch()} />}
      {!error && !data && (
        <Loading>
          <Skeleton className="h-16 w-full" />
        </Loading>
      )}
      {data?.changes.length === 0 && <p className="text-quiet">{words('agency.changes.none')}</p>}
      {data && data.changes.length > 0 && (
        <ol className="-my-2 divide-y divide-line">
          {data.changes.map(change => (
            <li key={change.at} className="grid gap-1 py-2">
              <p className="flex flex-wrap justify-between gap-x-4 text-sm text-quiet">
                <span>{change.who}</span>
                <time dateTime={change.at}>{moment(change.at)}</time>
              </p>
              <Fields change={change} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

function Fields({ change }: { change: Change }) {
  const { words, locale } = useWords()
  return (
    <ul className="grid gap-0.5">
      {change.fields.map(({ field, before, after }) => {
        const label = labelOf(field)
        return (
          <li key={field} className="break-words">
            <span className="font-medium">{label ? words(label) : field}</span>{' '}
            {field === 'logo' ? (
              words('agency.changes.logo')
            ) : (
              <Values before={displayValue(field, before ?? '', locale)} after={displayValue(field, after ?? '', locale)} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

const Values = ({ before, after }: { before: string; after: string }) => (
  <>
    <del className="text-quiet">{before}</del> → <ins className="no-underline">{after}</ins>
  </>
)
