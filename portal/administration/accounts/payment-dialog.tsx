import { useState } from 'react'
import { amountProblems, type BeyondBalance, type BookedBefore, paidOnProblems } from '#common/accounting/by-hand.ts'
import { longestReference } from '#common/accounting/book.ts'
import { bookAccountPayment } from '#common/administration/calls.ts'
import { displayDate, readDate } from '#common/kit/dates.ts'
import { fromCents, toCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask } from '#portal/kit/ask.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { Refusals, useRefusals } from '#portal/kit/errors/failure.tsx'
import type { NumberValue } from '#portal/kit/field/number-field.tsx'
import { BoundDate, BoundSelect, BoundText } from '#portal/kit/form/bound.tsx'
import { BoundMoney } from '#portal/kit/form/bound-more.tsx'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Facts } from '../record.tsx'
import type { Account } from './account.tsx'
import { FormDialog } from '../form-actions.tsx'
import { done } from '../use-records.ts'

type Props = { account: Account; onClose: () => void }
type Values = { way: string; amount: NumberValue; on: string; reference: string }
type Payment = { businessUnitUuid: string; way: 'received' | 'paid'; amount: number; on: string; reference: string } & {
  again?: true
  beyond?: true
}

/** The service's question before it books an unlikely payment. */
type Question = { payment: Payment } & ({ kind: 'again'; facts: BookedBefore } | { kind: 'beyond'; facts: BeyondBalance })

function questionOf(error: unknown, payment: Payment): Question | undefined {
  // Safe: the service sends this data with this code.
  if (isRefusedAs(error, 'account.booked_before')) return { kind: 'again', payment, facts: error.failure.data as BookedBefore }
  // Safe: likewise.
  if (isRefusedAs(error, 'account.beyond_balance')) return { kind: 'beyond', payment, facts: error.failure.data as BeyondBalance }
  return undefined
}

const required = (path: string, text: string): Problem[] =>
  text.trim() === '' ? [{ path, rule: 'required', key: 'validation.required' }] : []

/** Books money received from the agency or paid to it. Asks before booking an unlikely payment. */
export function PaymentDialog({ account, onClose }: Props) {
  const { words } = useWords()
  const once = useIdempotencyKey()
  // Kept when the list is reloaded.
  const [proposal] = useState(() => proposedPayment(account))
  const [question, setQuestion] = useState<Question>()
  const book = async (payment: Payment) => {
    try {
      await once(payment, requestUuid => ask(bookAccountPayment, { ...payment, requestUuid }))
    } catch (error) {
      const asked = questionOf(error, payment)
      if (!asked) throw error
      setQuestion(asked)
      return
    }
    await done(words('administration.account_booked'), onClose)
  }
  const form = useRulesForm<Values>({
    defaultValues: { way: proposal.way, amount: proposal.amount, on: displayDate(todayInUnit()) ?? '', reference: '' },
    rules: ({ amount, on, reference }) => [
      ...amountProblems('amount', amount),
      ...paidOnProblems(readDate(on), todayInUnit()),
      ...required('reference', reference),
    ],
    send: ({ way, amount, on, reference }) =>
      book({
        businessUnitUuid: account.businessUnit.uuid,
        way: way === 'paid' ? 'paid' : 'received',
        amount: Number(amount),
        on: readDate(on) ?? '',
        reference: reference.trim(),
      }),
  })
  if (question)
    return (
      <ConfirmPayment
        key={question.kind}
        question={question}
        currency={account.currency}
        onBook={book}
        onBack={() => setQuestion(undefined)}
      />
    )
  const ways = (['received', 'paid'] as const).map(value => ({ value, label: words('administration.account_way', { way: value }) }))
  return (
    <FormDialog form={form} title={words('administration.account_payment')} button={words('administration.account_book')} onClose={onClose}>
      <BoundSelect name="way" label={words('administration.account_direction')} options={ways} />
      <BoundMoney
        name="amount"
        label={words('administration.account_amount')}
        currency={account.currency}
        hint={proposal.parts.length > 0 && <Parts proposal={proposal} currency={account.currency} />}
        required
      />
      <BoundDate name="on" label={words('administration.account_paid_on')} max={todayInUnit()} required />
      <BoundText name="reference" label={words('administration.account_reference')} maxLength={longestReference} required />
    </FormDialog>
  )
}

/** The maximum number of statements named one by one; the later ones are added up. */
const mostNamed = 4

/** Names the statements that the proposed amount settles. */
function Parts({ proposal: { parts }, currency }: { proposal: Proposed; currency: string }) {
  const { words } = useWords()
  const { money, cents } = useFormat()
  const named = parts.length > mostNamed ? parts.slice(0, mostNamed - 1) : parts
  const later = parts.slice(named.length)
  const ofLater = later.reduce((sum, { amount }) => sum + (toCents(amount) ?? 0), 0)
  return (
    <>
      {parts.length > 1 && words('administration.account_proposed_all')}
      {named.map(({ number, amount }) => (
        <span key={number} className="block">
          {words('administration.account_proposed', { amount: money(amount, currency), number })}
        </span>
      ))}
      {later.length > 0 && (
        <span className="block">
          {words('administration.account_proposed_later', { amount: cents(ofLater, currency), count: later.length })}
        </span>
      )}
    </>
  )
}

type Confirm = { question: Question; currency: string; onBook: (payment: Payment) => Promise<void>; onBack: () => void }

/** Shows why a payment is unlikely, and books it after confirmation. */
function ConfirmPayment({ question, currency, onBook, onBack }: Confirm) {
  const { words } = useWords()
  const { money, date } = useFormat()
  const { problems, busy, run } = useRefusals()
  const { payment, kind, facts } = question
  const isAgain = kind === 'again'
  const balance = isAgain ? undefined : facts
  return (
    <Dialog
      open
      role="alertdialog"
      onClose={onBack}
      busy={busy}
      size="small"
      title={words(isAgain ? 'administration.account_again_title' : 'administration.account_beyond_title')}
      actions={
        <>
          <Button look="quiet" aria-disabled={busy} onClick={() => busy || onBack()}>
            {words('administration.account_change')}
          </Button>
          <Button look="danger" busy={busy} onClick={() => void run(() => onBook({ ...payment, [kind]: true }))}>
            {words(isAgain ? 'administration.account_again_button' : 'administration.account_beyond_button')}
          </Button>
        </>
      }
    >
      <Callout tone="warning">
        {isAgain ? words('administration.account_again', { date: date(facts.on), reference: facts.reference || '—' }) : beyondText(facts)}
      </Callout>
      <Facts
        facts={[
          [words('administration.account_direction'), words('administration.account_way', { way: payment.way })],
          [words('administration.account_amount'), money(payment.amount, currency)],
          [words('administration.account_paid_on'), date(payment.on)],
          [words('administration.account_reference'), payment.reference],
          [words('administration.account_before', { of: balance?.of ?? '' }), balance && money(balance.before, currency)],
          [words('administration.account_after', { of: balance?.of ?? '' }), balance && money(balance.after, currency)],
        ]}
      />
      <Refusals title={words('ui.alert.failed')} problems={problems} />
    </Dialog>
  )

  function beyondText({ of, after }: BeyondBalance): string {
    const outcome = of === 'commission' ? 'advance' : after < 0 ? 'credit' : 'debt'
    return words('administration.account_beyond', { outcome, amount: money(Math.abs(after), currency) })
  }
}

type Owed = Pick<Account, 'account' | 'lastStatement' | 'openStatements'>

/** `parts`: the statements that the proposed payment settles, each with its amount. */
type Proposed = { way: 'received' | 'paid'; amount: number | null; parts: { number: string; amount: number }[] }

/**
 * Proposes to pay all that is outstanding, but no more than the agency owes now. Money settles the oldest debt first. Without netting, an agency
 * without debt is paid its commission.
 */
export function proposedPayment({ account, lastStatement, openStatements }: Owed): Proposed {
  let left = Math.max(0, cents(account))
  const parts: Proposed['parts'] = []
  for (const { number, open } of openStatements) {
    const part = Math.min(cents(open), left)
    if (part > 0) parts.push({ number, amount: fromCents(part) })
    left -= part
  }
  if (parts.length > 0) return { way: 'received', amount: fromCents(parts.reduce((sum, { amount }) => sum + cents(amount), 0)), parts }
  const open = lastStatement?.open ?? { account: 0, commission: 0 }
  const payout = open.account < 0 ? open.account : open.commission
  return lastStatement && payout < 0
    ? { way: 'paid', amount: -payout, parts: [{ number: lastStatement.number, amount: -payout }] }
    : { way: 'received', amount: null, parts: [] }
}

const cents = (amount: number): number => toCents(amount) ?? 0
