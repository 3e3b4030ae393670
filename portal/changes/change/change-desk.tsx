import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { RequestSentOf } from '#common/kit/call.ts'
import { makeChange } from '#common/changes/calls.ts'
import { fixedBy } from '#common/changes/asked/phases.ts'
import { judgedChange } from '#common/changes/change.ts'
import { phaseAt } from '#common/changes/state.ts'
import { fromCents } from '#common/kit/money.ts'
import { ask } from '#portal/kit/ask.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { loadComplete } from '#portal/kit/field/date-field.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { completeFocused } from '#portal/kit/form/complete-focused.ts'
import { focusFirstProblem } from '#portal/kit/form/focus.ts'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { useUnsaved } from '#portal/kit/form/use-unsaved.ts'
import { useFormat } from '#portal/kit/format.ts'
import { oneOf, useListParams } from '#portal/kit/list/list-params.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { Disclosure } from '#portal/kit/page/disclosure.tsx'
import { Badge, Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { policiesChanged } from '#portal/policies/policy-query.ts'
import { changeOf, type Draft, isTouched, reasons } from '../draft/draft.ts'
import { type DeskParam, noDesk } from '../desk-params.ts'
import { reasonLabels } from '../labels.ts'
import { undoMs, useUndo } from '../movements/undo.ts'
import { DeskFrame, type Frame } from '../desk-frame.tsx'
import { useOffer } from '../payment/offer-fields.tsx'
import { settleBy, useWay } from '../payment/charge.tsx'
import { type LoadedTerms, reloadTerms, useRulesInput } from '../terms.ts'
import { Figures } from './figures.tsx'
import { Foot } from './foot.tsx'
import { GroupLines } from './group-lines.tsx'
import { FixedCover, Refusal } from './refusal.tsx'
import { Settlement } from './settlement.tsx'
import { useProblems } from './use-problems.tsx'
import { groupOf, type LinesProps } from '../draft/groups.ts'

type Props = { terms: LoadedTerms; frame: Frame; draft: Draft; onDraft: (draft: Draft) => void }
type Sent = RequestSentOf<typeof makeChange>

/** Changes a sold policy. The present values are on the left, the new ones on the right, and below is the cost, updated at every key. */
export function ChangeDesk({ terms, frame, draft, onDraft }: Props) {
  const { words } = useWords()
  const { cents } = useFormat()
  const { show } = useListParams<DeskParam>()
  const id = useId()
  const wayOf = useWay(terms, true)
  const rulesInput = useRulesInput()
  const withKey = useIdempotencyKey()
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open')
  const [news, setNews] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const latest = useRef({ draft, terms })
  useEffect(() => {
    latest.current.terms = terms
  }, [terms])
  const { policyUuid } = frame
  const previewOf = (draft: Draft, terms: LoadedTerms) => {
    const input = rulesInput(terms)
    return judgedChange(input.policy, { version: input.policy.version, change: changeOf(input.policy, draft) }, input)
  }
  const { policy, currency } = terms
  const preview = previewOf(draft, terms)
  const fixed = fixedBy(policy, phaseAt(policy, rulesInput(terms).now.at))
  const way = wayOf(preview.charge)
  const offer = useOffer(emailOf(preview.after?.people[0] ?? policy.people[0]))
  const { problems, shown, showAll, events } = useProblems(preview.refusals, terms, policyUuid)
  const undo = useUndo(policyUuid)
  const isDirty = isTouched(policy, draft)
  useUnsaved(isDirty && state !== 'done')
  useEffect(() => {
    if (state === 'done') show(noDesk)
    // oxlint-disable-next-line react/exhaustive-deps -- `show` is new at each render, and the desk closes once
  }, [state])
  function set(change: (before: Draft) => Draft) {
    latest.current.draft = change(latest.current.draft)
    onDraft(latest.current.draft)
  }
  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const sent = event.currentTarget
    // Enter completes the typed date, as leaving its field would. The code that reads short dates may still be loading.
    await loadComplete()
    completeFocused(sent)
    const { draft, terms } = latest.current
    const preview = previewOf(draft, terms)
    if (!preview.after) {
      showAll()
      return void setTimeout(() => focusFirstProblem(form.current ?? undefined))
    }
    setState('busy')
    const { charge, difference, refund } = preview
    const request: Sent = {
      policyUuid,
      version: terms.policy.version,
      // Safe: the rules have read every field, and the call reads them again.
      change: changeOf(terms.policy, draft) as Sent['change'],
      expectedDifference: fromCents(difference.total),
      expectedRefund: fromCents(refund),
      ...(draft.reason ? { reason: draft.reason } : {}),
      ...(draft.note?.trim() ? { note: draft.note.trim() } : {}),
      ...(way.isOffer ? { settle: { offer: { email: offer.email.trim() } } } : charge > 0 ? settleBy(way.gateway) : {}),
    }
    try {
      const step = await withKey(request, idempotencyKey => ask(makeChange, request, { idempotencyKey }))
      if (step.state === 'offered') {
        setState('done')
        showToast({ severity: 'success', summary: words('changes.done_offer', { email: offer.email.trim() }) })
        return void policiesChanged()
      }
      // The terms then have the open change, and the desk takes the card.
      await policiesChanged()
      if (step.state === 'awaiting_payment') return
      setState('done')
      showToast({
        severity: 'success',
        summary: words('changes.done_change'),
        detail: charge > 0 ? words('changes.more', { amount: cents(charge, currency) }) : undefined,
        life: undoMs,
        action: { label: words('ui.undo'), run: () => void undo() },
      })
    } catch (error) {
      setState('open')
      if (offer.refuse(error)) return void setTimeout(() => focusFirstProblem(form.current ?? undefined))
      const isStale = isRefusedAs(error, 'change.stale')
      if (!isStale && !isRefusedAs(error, 'change.price_changed')) return alertError(error)
      // The typed values are kept, and priced on the current policy.
      const now = await reloadTerms(policyUuid).catch(alertError)
      if (!now) return
      const next = previewOf(draft, now)
      const amounts = { before: cents(difference.total, currency), after: cents(next.difference.total, currency) }
      setNews(isStale ? words('changes.stale') : words('changes.price_changed', amounts))
    }
  }
  const openRefusals = shown.filter(({ code, path }) => code !== 'change.nothing' && code !== 'validation.failed' && !groupOf(path))
  return (
    <DeskFrame
      {...frame}
      heading={words('changes.title_change')}
      tag={isDirty && <Badge tone="accent">{words('changes.unsaved')}</Badge>}
      foot={
        <Foot
          form={id}
          preview={preview}
          byCard={way.isByCard}
          isOffer={way.isOffer}
          shown={shown}
          currency={currency}
          busy={state === 'busy'}
          onDiscard={() => show(noDesk)}
        />
      }
    >
      {news && <Callout tone="warning">{news}</Callout>}
      {fixed && <FixedCover fixed={fixed} policyUuid={policyUuid} />}
      <form id={id} ref={form} noValidate onSubmit={event => void save(event)} {...events} className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <GroupLines
          lines={{ policy, currency, draft, fixed, set, problems }}
          people={preview.people}
          refusals={preview.refusals}
          figures={preview.after && <Figures policy={policy} preview={preview} currency={currency} />}
        />
        {openRefusals.map(refused => (
          <Refusal key={refused.code} showsMessage refused={refused} terms={terms} policyUuid={policyUuid} />
        ))}
        <Settlement preview={preview} way={way} terms={terms} offer={offer} />
        <Why draft={draft} set={set} />
      </form>
    </DeskFrame>
  )
}

const emailOf = (person: { email?: string | null | undefined } | undefined): string => person?.email ?? ''

/** The reason for the change. Closed at first, as it is optional, and skipped by Tab. */
function Why({ draft, set }: Pick<LinesProps, 'draft' | 'set'>) {
  const { words } = useWords()
  return (
    <Disclosure className="text-sm" summary={<span className="text-quiet">{words('changes.reason_and_note')}</span>}>
      <div className="grid gap-2.5 pt-2 sm:grid-cols-2">
        <Select
          label={words('changes.change_reason')}
          name="reason"
          optional
          placeholder={words('changes.none')}
          value={draft.reason ?? ''}
          onChange={value => set(before => ({ ...before, reason: oneOf(reasons, value) }))}
          options={reasons.map(value => ({ value, label: words(reasonLabels[value]) }))}
        />
        <TextField
          label={words('changes.change_note')}
          name="note"
          optional
          maxLength={500}
          autoComplete="off"
          value={draft.note ?? ''}
          onChange={event => set(before => ({ ...before, note: event.target.value }))}
        />
      </div>
    </Disclosure>
  )
}
