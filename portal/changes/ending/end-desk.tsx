import { totalIn } from '#common/quotes/price.ts'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { cancelPolicy } from '#common/changes/calls.ts'
import { previewEnding } from '#common/changes/ending/cancel.ts'
import type { Now, Policy } from '#common/changes/state.ts'
import type { RequestSentOf } from '#common/kit/call.ts'
import { fromCents } from '#common/kit/money.ts'
import { ask } from '#portal/kit/ask.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { Callout } from '#portal/kit/ui/card.tsx'
import { problemIn, useWords } from '#portal/kit/words.tsx'
import { policiesChanged } from '#portal/policies/policy-query.ts'
import { labelIn, noRightLabels } from '../labels.ts'
import { type DeskParam, noDesk } from '../desk-params.ts'
import { undoMs } from '../movements/undo.ts'
import { DeskFrame, type Frame } from '../desk-frame.tsx'
import { type LoadedTerms, reloadTerms, useRulesInput } from '../terms.ts'
import { Consequences } from './consequences.tsx'
import { EndFoot } from './end-foot.tsx'
import { GoodwillFields, useGoodwill } from './goodwill.tsx'
import { type EndWay, Options } from './options.tsx'
import { type Reason, Reasons } from './reasons.tsx'
import { RefundOverTime } from './refund-over-time.tsx'

type Props = { as: 'cancellation' | 'withdrawal'; terms: LoadedTerms; frame: Frame }

/** Cancels a policy or withdraws from it. Shows the refund, its time limit and the lost commission above the main button. */
export function EndDesk({ as, terms, frame }: Props) {
  const { words } = useWords()
  const { cents } = useFormat()
  const { params, show } = useListParams<DeskParam>()
  const navigate = useNavigate()
  const id = useId()
  const rulesInput = useRulesInput()
  const withKey = useIdempotencyKey()
  const form = useRef<HTMLFormElement>(null)
  const [chosen, setChosen] = useState<EndWay>()
  const [reason, setReason] = useState<Reason | ''>('')
  const [note, setNote] = useState('')
  const [accepts, setAccepts] = useState(false)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [news, setNews] = useState('')
  const { policyUuid } = frame
  const sells = params.next === 'sell'
  const { policy, now } = rulesInput(terms)
  const { currency } = terms
  const goodwill = useGoodwill()(policy, now)
  const way = chosen ?? usualWay(as, policy, now)
  const isGoodwill = way === 'goodwill'
  const asked = way === 'withdrawal' ? 'withdrawal' : 'cancellation'
  // A statutory right needs no reason.
  const needsReason = asked === 'cancellation'
  const previewOf = (input: typeof policy, at: typeof now) =>
    previewEnding(
      input,
      { as: asked, version: input.version, acceptNoRefund: true, goodwill: isGoodwill ? goodwill.percent : undefined },
      at,
    )
  const preview = previewOf(policy, now)
  const needsConsent = preview.possible && preview.refund === 0 && totalIn(policy.charged) > 0
  useEffect(() => {
    if (matchMedia('(pointer: coarse)').matches) return
    const fieldOf = (selector: string) => form.current?.querySelector<HTMLElement>(selector)
    ;(fieldOf('[name=reason]') ?? fieldOf('[name=way]:checked'))?.focus()
  }, [])
  async function end(event: FormEvent) {
    event.preventDefault()
    if (way === 'move') return show({ ...noDesk, desk: 'change' })
    if (!preview.after) return
    const missing = [
      needsReason && reason === '' && 'reason',
      needsConsent && !accepts && 'acceptNoRefund',
      isGoodwill && !goodwill.isValid && 'goodwill',
      isGoodwill && note.trim() === '' && 'note',
    ].find(Boolean)
    if (missing) {
      setTried(true)
      return form.current?.querySelector<HTMLElement>(`[name=${missing}]`)?.focus()
    }
    setBusy(true)
    const request: RequestSentOf<typeof cancelPolicy> = {
      policyUuid,
      version: policy.version,
      as: asked,
      expectedRefund: fromCents(preview.refund),
      ...(needsReason && reason ? { reason } : {}),
      ...(needsConsent ? { acceptNoRefund: true } : {}),
      ...(isGoodwill ? { goodwill: goodwill.percent } : {}),
      ...(needsReason && note.trim() ? { note: note.trim() } : {}),
    }
    try {
      await withKey(request, idempotencyKey => ask(cancelPolicy, request, { idempotencyKey }))
      await policiesChanged()
      const isReversible = preview.kind === 'cancellation'
      showToast({
        severity: 'success',
        summary: words(isReversible ? 'changes.done_cancellation' : 'changes.done_withdrawal'),
        detail: preview.refund > 0 ? words('changes.comes_back', { amount: cents(preview.refund, currency) }) : undefined,
        life: undoMs,
        // The reinstatement desk shows the cost of putting it back in force.
        action:
          isReversible && !sells
            ? { label: words('policies.reinstate'), run: () => show({ ...noDesk, policy: policyUuid, desk: 'reinstate' }) }
            : undefined,
      })
      if (sells) await navigate({ to: '/funnel', search: { copy: policyUuid } })
      else show(noDesk)
    } catch (error) {
      setBusy(false)
      const isStale = isRefusedAs(error, 'cancel.stale')
      if (!isStale && !isRefusedAs(error, 'change.price_changed')) return alertError(error)
      const loaded = await reloadTerms(policyUuid).catch(alertError)
      if (!loaded) return
      const next = rulesInput(loaded)
      const amounts = { before: cents(preview.refund, currency), after: cents(previewOf(next.policy, next.now).refund, currency) }
      setNews(isStale ? words('changes.stale') : words('changes.price_changed', amounts))
    }
  }
  return (
    <DeskFrame
      {...frame}
      heading={words(as === 'withdrawal' ? 'changes.title_withdraw' : 'changes.title_cancel')}
      foot={<EndFoot form={id} way={way} preview={preview} currency={currency} busy={busy} sells={sells} onBack={() => show(noDesk)} />}
    >
      {news && <Callout tone="warning">{news}</Callout>}
      {sells && <Callout tone="info">{words('changes.then_sell')}</Callout>}
      <form id={id} ref={form} noValidate onSubmit={event => void end(event)} className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {preview.possible && !isGoodwill && <RefundOverTime policy={policy} now={now} currency={currency} />}
        {preview.refusals.map(refused => (
          <Callout key={refused.code} tone="danger">
            {refused.code === 'withdraw.none' ? words(whyOf(refused)) : problemIn(words, refused)}
          </Callout>
        ))}
        <Options policy={policy} terms={terms} way={way} now={now} goodwill={goodwill} onWay={setChosen} />
        {way !== 'move' && preview.possible && (
          <>
            {needsReason && (
              <Reasons value={reason} onChange={setReason} error={tried && reason === '' ? words('validation.required') : undefined} />
            )}
            {isGoodwill && <GoodwillFields goodwill={goodwill} note={note} onNote={setNote} tried={tried} />}
            {needsReason && reason === 'other' && !isGoodwill && (
              <TextField
                label={words('changes.note')}
                name="note"
                optional
                maxLength={500}
                autoComplete="off"
                value={note}
                onChange={event => setNote(event.target.value)}
              />
            )}
            {needsConsent && (
              <Checkbox
                name="acceptNoRefund"
                label={words('changes.accept_no_refund')}
                required
                checked={accepts}
                onChange={setAccepts}
                error={tried && !accepts ? words('validation.required') : undefined}
              />
            )}
            <Consequences preview={preview} policy={policy} currency={currency} />
          </>
        )}
      </form>
    </DeskFrame>
  )
}

/** Returns the default option. If a statutory right refunds at least as much as cancelling, the policy ends by that right. */
const usualWay = (as: Props['as'], policy: Policy, now: Now): EndWay =>
  previewEnding(policy, { as, version: policy.version, acceptNoRefund: true }, now).kind

const whyOf = ({ params }: { params?: Record<string, unknown> | undefined }) =>
  labelIn(noRightLabels, String(params?.['why'])) ?? noRightLabels.late
