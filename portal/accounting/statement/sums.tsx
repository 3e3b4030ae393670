import type { ReactNode } from 'react'
import { paidIn } from '#common/accounting/statement.ts'
import { fromCents, toCents } from '#common/kit/money.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { OpenStatement } from '../use-accounting.ts'
import { useDue } from './due.tsx'

type Amounts = OpenStatement['open']

/** How the balances of a month came about: carried over, moved, set against each other, paid. */
export function Sums({ opened: { statement, netting } }: { opened: OpenStatement }) {
  const { words } = useWords()
  const { before, account, earned, after } = statement
  const paid = {
    account: paidOf(before.account, account, netting, after.account),
    commission: paidOf(before.commission, earned, netting, after.commission),
  }
  const netted = { account: -netting, commission: -netting }
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
          <Row name={words('accounting.before')} amounts={before} currency={statement.currency} />
          <Row
            name={words('accounting.count', { count: statement.deeds })}
            amounts={{ account, commission: earned }}
            currency={statement.currency}
          />
          {netting !== 0 && <Row name={words('accounting.netted_before')} amounts={netted} currency={statement.currency} />}
          {(paid.account !== 0 || paid.commission !== 0) && (
            <Row name={words('accounting.paid_in_month')} amounts={paid} currency={statement.currency} />
          )}
          <Row name={words('accounting.balance')} amounts={after} currency={statement.currency} strong />
        </tbody>
      </table>
      {statement.netted && <p className="pt-1 text-sm text-quiet">{words('accounting.netted_hint')}</p>}
    </section>
  )
}

const paidOf = (before: number, moved: number, netting: number, after: number): number =>
  fromCents(paidIn({ before: cents(before), moved: cents(moved), netting: cents(netting), after: cents(after) }))

const cents = (amount: number): number => toCents(amount) ?? 0

const Head = ({ children }: { children: ReactNode }) => (
  <th scope="col" className="py-1.5 pl-3 text-right font-medium">
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

/** Lists what was paid in the month and since, and what is still open. */
export function Payments({ opened: { statement, payments, open } }: { opened: OpenStatement }) {
  const { words } = useWords()
  const { money, moment } = useFormat()
  const due = useDue()
  const isOpen = open.account !== 0 || open.commission !== 0
  return (
    <section aria-label={words('accounting.payments')}>
      <h3 className="font-semibold">{words('accounting.payments')}</h3>
      {payments.length === 0 && <p className="py-1 text-quiet">{words('accounting.no_payments')}</p>}
      <ul>
        {payments.map(({ uuid, at, kind, account, commission, since }) => (
          <li key={uuid} className="flex items-baseline gap-3 border-b border-line py-2">
            <div className="min-w-0 flex-1">
              <p>{words('accounting.payment_kind', { kind: kind === 'payment' ? wayOf(account) : kind })}</p>
              <p className="text-sm text-quiet">
                {[moment(at), words('accounting.payment_when', { when: since ? 'since' : 'during' })].join(' · ')}
              </p>
            </div>
            <span className="whitespace-nowrap">{money(Math.abs(account === 0 ? commission : account), statement.currency)}</span>
          </li>
        ))}
      </ul>
      <p className="pt-2 font-medium">
        {isOpen ? words('accounting.still_open', { amounts: due(open, statement.currency) }) : words('accounting.nothing_open')}
      </p>
    </section>
  )
}

const wayOf = (account: number): string => (account > 0 ? 'received' : 'paid')
