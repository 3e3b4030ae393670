import { countryName } from '#common/geography/countries.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { languageNames } from '#portal/kit/language.ts'
import type { Profile } from './fields.ts'
import { Fact } from './read-only.tsx'

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
