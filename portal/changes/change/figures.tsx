import { premiumIn, taxName, totalIn } from '#common/quotes/price-lines.ts'
import type { ChangePreview } from '#common/changes/change.ts'
import type { Policy } from '#common/changes/state.ts'
import { daysBetween } from '#common/kit/dates.ts'
import { useFormat, useSigned } from '#portal/kit/format.ts'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { Disclosure } from '#portal/kit/page/disclosure.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Line } from '../draft/line.tsx'

type Props = { policy: Policy; preview: ChangePreview; currency: string }

/** Days, price and commission before and after the change: the lines that differ, and the total. The taxes are one line. */
export function Figures({ policy, preview, currency }: Props) {
  const { words, locale } = useWords()
  const { cents, number } = useFormat()
  const signed = useSigned(currency)
  const showsCommission = useShowsCommission()
  const { before, after, difference, commission } = preview
  if (!after) return null
  const former = policy.number ?? policy.version
  const days = ({ startDate, endDate }: Policy['trip']) => daysBetween(startDate, endDate) + 1
  const [wasDays, isDays] = [days(policy.trip), days(after.trip)]
  const taxOf = (taxes: typeof before.taxes, code: string) => taxes.find(tax => tax.code === code)?.amount ?? 0
  const taxesIn = (price: typeof before) => cents(totalIn(price) - premiumIn(price), currency)
  const changedTaxes = difference.taxes.filter(({ amount }) => amount !== 0)
  return (
    <>
      {wasDays !== isDays && (
        <Line name={words('changes.days')} was={number(wasDays)} by={plus(isDays - wasDays, number(Math.abs(isDays - wasDays)))}>
          {number(isDays)}
        </Line>
      )}
      {difference.premium !== 0 && (
        <Line name={words('changes.premium')} was={cents(premiumIn(before), currency)} by={signed(difference.premium)}>
          {cents(premiumIn(after.charged), currency)}
        </Line>
      )}
      {changedTaxes.length > 0 && (
        <Line name={words('changes.taxes')} was={taxesIn(before)} by={signed(difference.total - difference.premium)}>
          <Disclosure slim summary={taxesIn(after.charged)}>
            <ul className="grid gap-1 text-sm font-normal">
              {changedTaxes.map(({ code, label }) => (
                <li key={code}>
                  {words('changes.was_is', {
                    what: taxName(policy.edition.basis.taxes, code, locale) ?? label,
                    was: cents(taxOf(before.taxes, code), currency),
                    is: cents(taxOf(after.charged.taxes, code), currency),
                  })}
                </li>
              ))}
            </ul>
          </Disclosure>
        </Line>
      )}
      <Line
        isTotal
        name={words('changes.total')}
        was={cents(totalIn(before), currency)}
        by={difference.total !== 0 && signed(difference.total)}
      >
        {cents(totalIn(after.charged), currency)}
      </Line>
      {showsCommission && commission.amount !== 0 && (
        <Line
          name={words('changes.commission')}
          was={cents(before.commission, currency)}
          by={<span className={commission.amount > 0 ? 'text-success' : 'text-danger'}>{signed(commission.amount)}</span>}
        >
          {cents(after.charged.commission, currency)}
        </Line>
      )}
      {preview.papers.includes('certificate') && (
        <Line name={words('changes.certificate')} was={words('changes.version', { version: former })}>
          {words('changes.replaces', { version: former + 1, former })}
        </Line>
      )}
    </>
  )
}

const plus = (difference: number, text: string): string => `${difference > 0 ? '+' : '−'}${text}`
