import type { ReactNode } from 'react'
import { calculationOf, paidAmount, type Step, stepNames } from '#common/accounting/calculation.ts'
import { fromCents, toCents } from '#common/kit/money.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { OpenStatement } from '../use-accounting.ts'
import { useDue } from './due.tsx'

type Amounts = OpenStatement['open']

/** The steps to the amount due: carried over, moved, paid, set against each other. */
export function Sums({ opened: { statement, netting } }: { opened: OpenStatement }) {
  const { words } = useWords()
  const { before, account, earned, stampDuty, after, netted, deeds, currency } = statement
  const steps = calculationOf({
    before: inCents(before),
    moved: inCents({ account, commission: earned }),
    duty: cents(stampDuty.amount),
    netting: cents(netting),
    after: inCents(after),
    netted,
  })
  const named = (name: Step['name']) => {
    if (name === 'deeds') return words(stepNames.deeds, { count: deeds })
    return name === 'stamp_duty' ? words(stepNames.stamp_duty, { percent: stampDuty.percent }) : words(stepNames[name])
  }
  return (
    <section aria-label={words('accounting.sums')}>
      <table className="w-full">
        <thead>
          <tr className="text-sm text-quiet">
            <th scope="col" className="sr-only">
              {words('accounting.sums')}
            </th>
            <Head>{words('accounting.on_account')}</Head>
            <Head>{words('accounting.earned')}</Head>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ name, account, commission }) => (
            <Row
              key={name}
              name={named(name)}
              amounts={{ account: fromCents(account), commission: fromCents(commission) }}
              currency={currency}
              strong={name === 'due'}
            />
          ))}
        </tbody>
      </table>
      {netted && <p className="pt-1 text-sm text-quiet">{words('accounting.netted_hint')}</p>}
    </section>
  )
}

const inCents = ({ account, commission }: Amounts) => ({ account: cents(account), commission: cents(commission) })

const cents = (amount: number): number => toCents(amount) ?? 0

const Head = ({ children }: { children: ReactNode }) => (
  <th scope="col" className="py-1.5 pl-3 text-right font-normal">
    {children}
  </th>
)

type RowProps = { name: string; amounts: Amounts; currency: string; strong?: boolean }

function Row({ name, amounts, currency, strong = false }: RowProps) {
  const { money } = useFormat()
  return (
    <tr className={`border-t border-line ${strong ? 'font-semibold' : ''}`}>
      <th scope="row" className={`py-2 text-left ${strong ? 'font-semibold' : 'font-normal'}`}>
        {name}
      </th>
      <td className="py-2 pl-3 text-right whitespace-nowrap">{money(amounts.account, currency)}</td>
      <td className="py-2 pl-3 text-right whitespace-nowrap">{money(amounts.commission, currency)}</td>
    </tr>
  )
}

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
