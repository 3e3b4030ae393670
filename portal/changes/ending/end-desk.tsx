import { useQuery } from '@tanstack/react-query'
import { displayDate } from '#common/kit/dates.ts'
import { totalIn } from '#common/quotes/price-lines.ts'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { cancelPolicy } from '#common/changes/calls.ts'
import { type CancelPreview, previewEnding } from '#common/changes/ending/cancel.ts'
import { reinstatementUntil } from '#common/changes/ending/reinstate.ts'
import { type Now, type Policy, startOf } from '#common/changes/state.ts'
import type { RequestSentOf } from '#common/kit/call.ts'
import { fromCents } from '#common/kit/money.ts'
import { ask } from '#portal/kit/ask.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { type FieldMessage, FieldNotes } from '#portal/kit/field/field.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { Callout } from '#portal/kit/ui/card.tsx'
import { Icon, type IconName } from '#portal/kit/ui/icon.tsx'
import { problemIn, useWords } from '#portal/kit/words.tsx'
import { policiesChanged, policyQuery } from '#portal/policies/policy-query.ts'
import { textOf } from '../draft/draft.ts'
import { labelIn, noRightLabels, reasonLabels } from '../labels.ts'
import { type DeskParam, noDesk } from '../desk-params.ts'
import { undoMs } from '../movements/undo.ts'
import { DeskFrame, type Frame } from '../desk-frame.tsx'
import { Routes } from '../notes.tsx'
import { type LoadedTerms, reloadTerms, useRulesInput } from '../terms.ts'
import { EndFoot } from './end-foot.tsx'
import { GoodwillFields, useGoodwill } from './goodwill.tsx'
import { type EndWay, Options } from './options.tsx'
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
        {preview.possible && <RunningCover of={policyUuid} policy={policy} now={now} />}
        <Options policy={policy} terms={terms} way={way} now={now} goodwill={goodwill} onWay={setChosen} />
        {way !== 'move' && preview.possible && (
          <>
            {needsReason && <Reasons value={reason} onChange={setReason} error={(tried && reason === '') || undefined} />}
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
                error={(tried && !accepts) || undefined}
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

type RunningProps = { of: string; policy: Policy; now: Now }

/** Says that cancellation cover which has begun ends, too. A claim for a cancelled trip comes first. */
function RunningCover({ of, policy, now }: RunningProps) {
  const { words } = useWords()
  const { data } = useQuery(policyQuery(of))
  const departs = startOf(policy.trip.startDate, policy)
  const isRunning = data?.cancellationFrom
    ? Date.parse(data.cancellationFrom) <= now.at && now.at < departs
    : data?.cancellationOfEach && departs <= now.at
  return isRunning && <Callout tone="warning">{words('changes.cancellation_runs')}</Callout>
}

type ConsequencesProps = { preview: CancelPreview; policy: Policy; currency: string }

/** The route of the refund, the end of cover, who is informed, and if it can be undone. */
function Consequences({ preview, policy, currency }: ConsequencesProps) {
  const { words } = useWords()
  const { cents, moment } = useFormat()
  const { routes, kind, coverEnds, withoutWay, effectiveAt } = preview
  const until = reinstatementUntil(policy, effectiveAt) ?? 0
  const email = textOf(policy.people[0]?.['email'])
  const notes: ([IconName, string] | false)[] = [
    withoutWay > 0 && ['alert-triangle', words('changes.without_way', { amount: cents(withoutWay, currency) })],
    ['shield', coverEnds ? words('changes.cover_ends', { day: displayDate(coverEnds) ?? coverEnds }) : words('changes.cover_ends_now')],
    ['check', words('changes.no_claims')],
    email !== '' && ['mail', words('changes.tells_client', { email })],
    kind === 'withdrawal' && ['repeat', words('changes.not_undone')],
    kind === 'cancellation' &&
      until > effectiveAt && ['repeat', words('changes.can_be_undone', { at: moment(new Date(until).toISOString()) })],
  ]
  return (
    <div className="grid gap-1.5">
      <Routes routes={routes} currency={currency} leaves={kind === 'withdrawal' ? 'now' : 'in_an_hour'} />
      {notes
        .filter(note => note !== false)
        .map(([icon, text]) => (
          <p key={text} className="flex gap-2 text-sm text-quiet">
            <Icon name={icon} className="mt-0.5 size-4" /> <span>{text}</span>
          </p>
        ))}
    </div>
  )
}

const reasons = ['trip_cancelled', 'visa_refused', 'duplicate', 'price', 'error', 'other'] as const
type Reason = (typeof reasons)[number]

type ReasonsProps = { value: Reason | ''; onChange: (reason: Reason) => void; error: FieldMessage | undefined }

/** The reason for the end, which statement and insurer need. One key chooses, the arrow keys move on. */
function Reasons({ value, onChange, error }: ReasonsProps) {
  const { words } = useWords()
  const id = useId()
  return (
    <fieldset role="radiogroup" aria-invalid={error ? true : undefined} aria-describedby={error && `${id}-error`} className="grid gap-1.5">
      <legend className="mb-1 text-sm text-quiet">{words('changes.reason')}</legend>
      <div className="flex flex-wrap gap-2">
        {reasons.map(reason => (
          <label
            key={reason}
            className="inline-flex min-h-(--control) items-center gap-2 rounded-md border border-line px-3 text-sm hover:bg-sunken has-checked:border-ink has-checked:font-semibold has-checked:inset-ring has-checked:inset-ring-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink"
          >
            <input
              type="radio"
              name="reason"
              value={reason}
              checked={value === reason}
              required
              onChange={() => onChange(reason)}
              className="size-3.5 shrink-0 appearance-none rounded-full border border-field-line outline-none checked:border-[4px] checked:border-ink"
            />
            {words(reasonLabels[reason])}
          </label>
        ))}
      </div>
      <FieldNotes id={id} error={error} label={words('changes.reason')} />
    </fieldset>
  )
}
