import { paidAmount } from '#common/accounting/calculation.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { OpenStatement } from '../use-accounting.ts'
import { useDue } from './due.tsx'

/** Lists the payments in the month and since, and the open rest. */
export function Payments({ opened: { statement, payments, open } }: { opened: OpenStatement }) {
  const { words } = useWords()
  const { money, date } = useFormat()
  const due = useDue()
  const isOpen = open.account !== 0 || open.commission !== 0
  const stillOpen = isOpen ? words('accounting.still_open', { amounts: due(open, statement.currency) }) : words('accounting.nothing_open')
  const left = statement.carriedTo === null ? stillOpen : words('accounting.carried_to', { number: statement.carriedTo })
  return (
    <section aria-label={words('accounting.payments')}>
      <h3 className="font-semibold">{words('accounting.payments')}</h3>
      {payments.length === 0 && <p className="py-1 text-quiet">{words('accounting.no_payments')}</p>}
      <ul>
        {payments.map(({ uuid, way, on, reference, reverses, account, commission, since }) => (
          <li key={uuid} className="flex items-baseline gap-3 border-b border-line py-2">
            <div className="min-w-0 flex-1">
              <p>
                {reverses
                  ? words('accounting.payment_reversed', { what: words('accounting.payment_kind', { kind: way }) })
                  : words('accounting.payment_kind', { kind: way })}
              </p>
              <p className="text-sm text-quiet wrap-anywhere">
                {[date(on), reference, words('accounting.payment_when', { when: since ? 'since' : 'during' })].filter(Boolean).join(' · ')}
              </p>
            </div>
            <span className="whitespace-nowrap">{money(paidAmount({ account, commission, reverses }), statement.currency)}</span>
          </li>
        ))}
      </ul>
      <p className="pt-2 font-medium">{left}</p>
    </section>
  )
}
