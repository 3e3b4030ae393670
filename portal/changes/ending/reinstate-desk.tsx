import { totalIn } from '#common/quotes/price-lines.ts'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { reinstatePolicy } from '#common/changes/calls.ts'
import { previewReinstatement, reinstatementUntil } from '#common/changes/ending/reinstate.ts'
import { stoppableUntil } from '#common/payments/states.ts'
import { fromCents } from '#common/kit/money.ts'
import { ask } from '#portal/kit/ask.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { shownEnd, timeOfDay, useFormat, useSigned } from '#portal/kit/format.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { Properties, Property } from '#portal/kit/page/properties.tsx'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { shortcut } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button, buttonLook } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { problemIn, useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { policiesChanged } from '#portal/policies/policy-query.ts'
import { type DeskParam, noDesk } from '../desk-params.ts'
import { DeskFrame, type Frame } from '../desk-frame.tsx'
import { Charge, settleBy, useWay } from '../payment/charge.tsx'
import { type LoadedTerms, reloadTerms, useRulesInput } from '../terms.ts'

/** Puts a cancelled policy back in force, at its old price. */
export function ReinstateDesk({ terms, frame }: { terms: LoadedTerms; frame: Frame }) {
  const { words } = useWords()
  const { cents, moment } = useFormat()
  const { show } = useListParams<DeskParam>()
  const id = useId()
  const wayOf = useWay(terms)
  const rulesInput = useRulesInput()
  const withKey = useIdempotencyKey()
  const showsCommission = useShowsCommission()
  const maySell = useMay('b2b-products-sell')
  const [busy, setBusy] = useState(false)
  const [news, setNews] = useState('')
  const { policyUuid } = frame
  const { currency } = terms
  const signed = useSigned(currency)
  const { policy, now } = rulesInput(terms)
  const preview = previewReinstatement(policy, policy, now)
  const { charge, stopped, after, commission, uncovered, refusals } = preview
  const way = wayOf(charge)
  const until = reinstatementUntil(policy)
  const momentOf = (at: number) => moment(new Date(at).toISOString())
  async function reinstate(event: FormEvent) {
    event.preventDefault()
    if (!after) return
    setBusy(true)
    const request = {
      policyUuid,
      version: policy.version,
      expectedCharge: fromCents(charge),
      ...(charge > 0 ? settleBy(way.gateway) : {}),
    }
    try {
      const step = await withKey(request, idempotencyKey => ask(reinstatePolicy, request, { idempotencyKey }))
      // The terms then have the open step, and the desk takes the card.
      await policiesChanged()
      if (step.state === 'awaiting_payment') return
      showToast({ severity: 'success', summary: words('changes.done_reinstatement') })
      show(noDesk)
    } catch (error) {
      setBusy(false)
      const isStale = isRefusedAs(error, 'change.stale')
      if (!isStale && !isRefusedAs(error, 'change.price_changed')) return alertError(error)
      const loaded = await reloadTerms(policyUuid).catch(alertError)
      if (!loaded) return
      const next = rulesInput(loaded)
      const amounts = {
        before: cents(charge, currency),
        after: cents(previewReinstatement(next.policy, next.policy, next.now).charge, currency),
      }
      setNews(isStale ? words('changes.stale') : words('changes.price_changed', amounts))
    }
  }
  return (
    <DeskFrame
      {...frame}
      heading={words('changes.title_reinstate')}
      foot={
        <>
          {after && (
            <Button {...shortcut('next')} type="submit" form={id} icon="repeat" busy={busy} className="flex-1 max-sm:whitespace-normal">
              {words(charge === 0 ? 'changes.do_reinstate' : way.isByCard ? 'changes.do_card' : 'changes.do_reinstate_charge', {
                amount: cents(charge, currency),
              })}
            </Button>
          )}
          <Button look="quiet" onClick={() => show(noDesk)}>
            {words('changes.back')}
          </Button>
        </>
      }
    >
      {news && <Callout tone="warning">{news}</Callout>}
      {refusals.map(refused => (
        <Callout key={refused.code} tone="danger">
          {problemIn(words, refused)}
          {refused.code === 'reinstate.withdrawn' && maySell && (
            <Link to="/funnel" search={{ copy: policyUuid }} className={`${buttonLook('quiet')} mt-2`}>
              {words('policies.copy')}
            </Link>
          )}
        </Callout>
      ))}
      <form id={id} onSubmit={event => void reinstate(event)} className="grid gap-3">
        {after && (
          <Properties>
            <Property name={words('changes.total')}>{cents(totalIn(after.charged), currency)}</Property>
            <Property name={words('changes.money')}>
              {stopped > 0 &&
                policy.ended &&
                words('changes.refund_stopped', {
                  amount: cents(stopped, currency),
                  at: timeOfDay(momentOf(stoppableUntil(policy.ended.at))),
                })}
            </Property>
            <Property name={words('changes.deadline')}>
              {until !== null && words('changes.until', { at: shownEnd(new Date(until).toISOString()) })}
            </Property>
            <Property name={words('changes.commission')}>{showsCommission && signed(commission.amount)}</Property>
            <Property name={words('changes.certificate')}>{words('changes.valid_again')}</Property>
            <Property name={words('changes.uncovered')}>
              {uncovered &&
                words('changes.uncovered_between', {
                  from: momentOf(uncovered.from),
                  to: momentOf(uncovered.to),
                })}
            </Property>
          </Properties>
        )}
        {after && <Charge charge={charge} way={way} terms={terms} byCard="changes.reinstated_by_card" />}
      </form>
    </DeskFrame>
  )
}
