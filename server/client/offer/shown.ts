import { totalIn } from '#common/quotes/price-lines.ts'
import { linesBetween, offeredChanges } from '#common/changes/differences.ts'
import type { ClientChange } from '#common/client/calls.ts'
import { countryName } from '#common/geography/countries.ts'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import { formatMoney, fromCents } from '#common/kit/money.ts'
import { type Loaded, type OpenChangeRow, stepIn } from '#server/changes/public.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { taxLabel } from '../price-lines.ts'

type Changes = NonNullable<ClientChange['changes']>

/** Returns what an offer changes and costs, in the client's language and without the agency's commission; null once it is over. */
export function changesIn(secrets: Secrets, open: OpenChangeRow, { policy, now }: Loaded, locale: Locale): Changes | null {
  const step = stepIn(secrets, open)
  if (!step) return null
  const { contents, waitUntil } = step
  const { dates, origin, destinations, amount, holder, people, contact } = offeredChanges(policy, contents)
  const places = (ids: readonly number[]) =>
    new Intl.ListFormat(intlTag(locale)).format(ids.map(id => countryName(id, locale) ?? String(id)))
  const money = (cents: number | undefined) => (cents === undefined ? null : formatMoney(cents, locale, policy.edition.basis.currency))
  return {
    facts: [
      ...dates.map(({ what, was, is }) => ({ what, was: was ?? null, is: is ?? null })),
      ...(origin ? [{ what: 'origin' as const, was: places([origin.was]), is: places([origin.is]) }] : []),
      ...(destinations ? [{ what: 'destinations' as const, was: places(destinations.was), is: places(destinations.is) }] : []),
      ...(amount ? [{ what: 'insurancedAmount' as const, was: money(amount.was), is: money(amount.is) }] : []),
      ...(holder ? [{ what: 'holder' as const, ...holder }] : []),
      ...(contact ? [{ what: 'contact' as const, was: null, is: null }] : []),
    ],
    people,
    lines: linesBetween(policy.charged, contents.charged).map(({ kind, was, is, ...tax }) => ({
      kind,
      ...taxLabel(policy.edition.basis.taxes, tax, locale),
      was: fromCents(was),
      is: fromCents(is),
    })),
    total: { was: fromCents(totalIn(policy.charged)), is: fromCents(totalIn(contents.charged)) },
    // The waiting period counts from the payment.
    waitUntil: waitUntil === null ? null : new Date(waitUntil + now.at - open.at.getTime()).toISOString(),
  }
}
