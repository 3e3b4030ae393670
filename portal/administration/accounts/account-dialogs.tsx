import { amountProblems, liftedProblems, writeOffProblems } from '#common/accounting/by-hand.ts'
import { changeAccountTerms, writeOffAccount } from '#common/administration/calls.ts'
import { addDays, displayDate, readDate, today } from '#common/kit/dates.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask } from '#portal/kit/ask.ts'
import type { NumberValue } from '#portal/kit/field/number-field.tsx'
import { BoundDate } from '#portal/kit/form/bound.tsx'
import { BoundMoney, BoundSwitch } from '#portal/kit/form/bound-more.tsx'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { shownTimeZone } from '#portal/kit/time.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Account } from './account.tsx'
import { FormDialog } from '../form-actions.tsx'
import { ReasonField, reasonProblems } from '../reason-dialog.tsx'
import { done } from '../use-records.ts'

type Props = { account: Account; onClose: () => void }

type TermsValues = { limit: NumberValue; liftedUntil: string; netted: boolean; namesInBordereau: boolean; reason: string }
type WriteOffValues = { amount: NumberValue; reason: string }

function termsOf({ limit, liftedUntil, netted, namesInBordereau }: Account): TermsValues {
  // The limit is lifted until the first instant of the day after.
  const lastDay = liftedUntil === null ? '' : addDays(today(new Date(liftedUntil), shownTimeZone()), -1)
  return { limit, liftedUntil: displayDate(lastDay) ?? '', netted, namesInBordereau, reason: '' }
}

const nothingWrittenOff: WriteOffValues = { amount: null, reason: '' }

/** Sets the credit limit, lifts it for some days, and sets whether commission is netted. */
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
    <FormDialog form={form} title={words('administration.account_terms')} button={words('administration.save')} onClose={onClose}>
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
      <ReasonField />
    </FormDialog>
  )
}

/** Writes off an amount that the agency owes. */
export function WriteOffDialog({ account, onClose }: Props) {
  const { words } = useWords()
  const once = useIdempotencyKey()
  const form = useRulesForm({
    defaultValues: nothingWrittenOff,
    rules: ({ amount, reason }) => [...writeOffProblems(amount, account.account, account.currency), ...reasonProblems(reason)],
    send: async ({ amount, reason }) => {
      const request = { businessUnitUuid: account.businessUnit.uuid, amount: Number(amount), reason: reason.trim() }
      await once(request, requestUuid => ask(writeOffAccount, { ...request, requestUuid }))
      await done(words('administration.account_booked'), onClose)
    },
  })
  const title = words('administration.account_write_off')
  return (
    <FormDialog form={form} title={title} button={title} danger onClose={onClose}>
      <BoundMoney name="amount" label={words('administration.account_amount')} currency={account.currency} required />
      <ReasonField />
    </FormDialog>
  )
}
