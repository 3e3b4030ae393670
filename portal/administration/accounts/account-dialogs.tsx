import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { amountProblems, liftedProblems, paidOnProblems } from '#common/administration/account.ts'
import { bookAccountPayment, changeAccountTerms, writeOffAccount } from '#common/administration/account-calls.ts'
import { addDays, displayDate, readDate, today } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask } from '#portal/kit/ask.ts'
import type { NumberValue } from '#portal/kit/field/number-field.tsx'
import { BoundDate, BoundSelect, BoundText, BoundTextArea } from '#portal/kit/form/bound.tsx'
import { BoundMoney, BoundSwitch } from '#portal/kit/form/bound-more.tsx'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { RulesForm } from '#portal/kit/form/rules-form.tsx'
import { type RulesForm as Form, useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { shownTimeZone } from '#portal/kit/time-zone.ts'
import { useWords } from '#portal/kit/words.tsx'
import { FormActions } from '../form-actions.tsx'
import { reload } from '../queries.ts'
import type { Account } from './account.tsx'

type Props = { account: Account; onClose: () => void }

type PaymentValues = { way: string; amount: NumberValue; on: string; reference: string }
type TermsValues = { limit: NumberValue; liftedUntil: string; netted: boolean; namesInBordereau: boolean; reason: string }
type WriteOffValues = { amount: NumberValue; reason: string }

const paymentOf = (due: number): PaymentValues => ({
  way: due < 0 ? 'paid' : 'received',
  amount: due === 0 ? null : Math.abs(due),
  on: displayDate(todayInUnit()) ?? '',
  reference: '',
})

function termsOf({ limit, liftedUntil, netted, namesInBordereau }: Account): TermsValues {
  // It is lifted until the first instant of the day after.
  const lastDay = liftedUntil === null ? '' : addDays(today(new Date(liftedUntil), shownTimeZone()), -1)
  return { limit, liftedUntil: displayDate(lastDay) ?? '', netted, namesInBordereau, reason: '' }
}

const nothingWrittenOff: WriteOffValues = { amount: null, reason: '' }

/** Books money that came from the agency, or went to it. */
export function PaymentDialog({ account, onClose }: Props) {
  const { words } = useWords()
  const once = useIdempotencyKey()
  const { currency, lastStatement } = account
  const due = lastStatement?.due ?? 0
  const form = useRulesForm({
    defaultValues: paymentOf(due),
    rules: ({ amount, on, reference }) => [
      ...amountProblems('amount', amount),
      ...paidOnProblems(readDate(on), todayInUnit()),
      ...required('reference', reference),
    ],
    send: async ({ way, amount, on, reference }) => {
      const request = {
        businessUnitUuid: account.businessUnit.uuid,
        way: way === 'paid' ? ('paid' as const) : ('received' as const),
        amount: Number(amount),
        on: readDate(on) ?? '',
        reference: reference.trim(),
      }
      await once(request, requestUuid => ask(bookAccountPayment, { ...request, requestUuid }))
      await done(words('administration.account_booked'), onClose)
    },
  })
  const ways = (['received', 'paid'] as const).map(value => ({ value, label: words('administration.account_way', { way: value }) }))
  return (
    <AccountDialog
      form={form}
      title={words('administration.account_payment')}
      button={words('administration.account_book')}
      onClose={onClose}
    >
      <BoundSelect name="way" label={words('administration.account_direction')} options={ways} />
      <BoundMoney name="amount" label={words('administration.account_amount')} currency={currency} required />
      <BoundDate name="on" label={words('administration.account_paid_on')} max={todayInUnit()} required />
      <BoundText name="reference" label={words('administration.account_reference')} maxLength={140} required />
    </AccountDialog>
  )
}

/** Sets the credit limit, lifts it for some days, and says whether commission is netted. */
export function TermsDialog({ account, onClose }: Props) {
  const { words } = useWords()
  const { businessUnit, currency } = account
  const form = useRulesForm({
    defaultValues: termsOf(account),
    rules: ({ limit, liftedUntil, reason }) => [
      ...(limit === null ? [] : amountProblems('limit', limit, 0)),
      ...(liftedUntil === '' ? [] : liftedProblems(readDate(liftedUntil) ?? '', todayInUnit())),
      ...reasonProblems(reason),
    ],
    send: async ({ limit, liftedUntil, reason, ...terms }) => {
      const request = { businessUnitUuid: businessUnit.uuid, limit: limit === null ? null : Number(limit), ...terms, reason: reason.trim() }
      await ask(changeAccountTerms, { ...request, liftedUntil: readDate(liftedUntil) ?? null })
      await done(words('administration.account_terms_saved'), onClose)
    },
  })
  return (
    <AccountDialog form={form} title={words('administration.account_terms')} button={words('administration.save')} onClose={onClose}>
      <BoundMoney
        name="limit"
        label={words('administration.account_limit')}
        hint={words('administration.account_limit_hint')}
        currency={currency}
      />
      <BoundDate
        name="liftedUntil"
        label={words('administration.account_lifted')}
        hint={words('administration.account_lifted_hint')}
        min={todayInUnit()}
      />
      <BoundSwitch name="netted" label={words('administration.account_netted')} />
      <BoundSwitch
        name="namesInBordereau"
        label={words('administration.account_names')}
        hint={words('administration.account_names_hint')}
      />
      <Reason />
    </AccountDialog>
  )
}

/** Gives up what the agency owes. */
export function WriteOffDialog({ account, onClose }: Props) {
  const { words } = useWords()
  const once = useIdempotencyKey()
  const form = useRulesForm({
    defaultValues: nothingWrittenOff,
    rules: ({ amount, reason }) => [...amountProblems('amount', amount), ...reasonProblems(reason)],
    send: async ({ amount, reason }) => {
      const request = { businessUnitUuid: account.businessUnit.uuid, amount: Number(amount), reason: reason.trim() }
      await once(request, requestUuid => ask(writeOffAccount, { ...request, requestUuid }))
      await done(words('administration.account_booked'), onClose)
    },
  })
  const title = words('administration.account_write_off')
  return (
    <AccountDialog form={form} title={title} button={title} danger onClose={onClose}>
      <BoundMoney name="amount" label={words('administration.account_amount')} currency={account.currency} required />
      <Reason />
    </AccountDialog>
  )
}

const required = (path: string, text: string): Problem[] =>
  text.trim() === '' ? [{ path, rule: 'required', key: 'validation.required' }] : []

const reasonProblems = (reason: string): Problem[] =>
  reason.trim().length < 5 ? [{ path: 'reason', rule: 'required', key: 'administration.fault.reason' }] : []

function Reason() {
  const { words } = useWords()
  return (
    <BoundTextArea
      name="reason"
      label={words('administration.reason')}
      hint={words('administration.reason_hint')}
      required
      maxLength={500}
    />
  )
}

async function done(summary: string, onClose: () => void): Promise<void> {
  await reload()
  showToast({ severity: 'success', summary })
  onClose()
}

type DialogProps<Values extends FieldValues> = {
  form: Form<Values>
  title: string
  button: string
  danger?: boolean
  onClose: () => void
  children: ReactNode
}

function AccountDialog<Values extends FieldValues>({ form, title, button, danger = false, onClose, children }: DialogProps<Values>) {
  return (
    <Dialog
      open
      onClose={onClose}
      busy={form.busy}
      size="small"
      title={title}
      actions={<FormActions form={form} label={button} danger={danger} onCancel={onClose} />}
    >
      <RulesForm form={form} className="grid gap-(--gap)">
        {children}
      </RulesForm>
    </Dialog>
  )
}
