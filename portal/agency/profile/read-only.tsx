import type { ReactNode } from 'react'
import { countryName } from '#common/geography/countries.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { languageNames } from '#portal/kit/language.ts'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { displayValue, fields, type Profile, valueAt } from './profile.ts'

/** The agency's profile for users who may see it but not change it. */
export function ReadOnlyProfile({ profile }: { profile: Profile }) {
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
export function ManagedCard({ profile }: { profile: Profile }) {
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
