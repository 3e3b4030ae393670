import { useState } from 'react'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { policiesChanged } from '#portal/policies/policy-query.ts'
import { doneLabels, titleLabels } from './labels.ts'
import { ChangeDesk } from './change/change-desk.tsx'
import { undoMs, useUndo } from './movements/undo.ts'
import { deskIn, type DeskKind, type DeskParam, noDesk } from './desk-params.ts'
import { untouched } from './draft/draft.ts'
import { DeskFrame, type Frame } from './desk-frame.tsx'
import { EndDesk } from './ending/end-desk.tsx'
import { ReinstateDesk } from './ending/reinstate-desk.tsx'
import { OfferDesk, type PaidStep, PayDesk } from './payment/pay-desk.tsx'
import { useTerms } from './terms.ts'
import { VersionsDesk } from './versions/versions-desk.tsx'

/** Changes, cancels or reinstates a policy, or shows its versions, depending on the URL. */
export function Desk(frame: Frame) {
  const { params } = useListParams<DeskParam>()
  const kind = deskIn(params.desk) ?? 'change'
  const key = `${kind} ${frame.policyUuid}`
  return kind === 'versions' ? <VersionsDesk key={key} frame={frame} /> : <MovementDesk key={key} kind={kind} frame={frame} />
}

function MovementDesk({ kind, frame }: { kind: Exclude<DeskKind, 'versions'>; frame: Frame }) {
  const { words } = useWords()
  const { show } = useListParams<DeskParam>()
  const { data: terms, error, refetch } = useTerms(frame.policyUuid)
  // Kept here, so that it survives a card form that is closed.
  const [draft, setDraft] = useState(untouched)
  const { policyUuid } = frame
  const undo = useUndo(policyUuid)
  function close(step: PaidStep) {
    setDraft(untouched)
    show(noDesk)
    void policiesChanged()
    showToast({
      severity: 'success',
      summary: words(doneLabels[step.kind]),
      ...(step.kind === 'change' ? { life: undoMs, action: { label: words('ui.undo'), run: () => void undo() } } : {}),
    })
  }
  if (terms) {
    const { openChange, currency } = terms
    // A waiting change does not prevent a cancellation.
    if (openChange?.offeredTo && kind === 'change')
      return <OfferDesk open={openChange} currency={currency} heading={words(titleLabels[kind])} frame={frame} />
    if (openChange && (kind === 'change' || kind === 'reinstate'))
      return <PayDesk open={openChange} currency={currency} heading={words(titleLabels[kind])} frame={frame} onMade={close} />
    if (kind === 'change') return <ChangeDesk terms={terms} frame={frame} draft={draft} onDraft={setDraft} />
    if (kind === 'reinstate') return <ReinstateDesk terms={terms} frame={frame} />
    return <EndDesk as={kind === 'withdraw' ? 'withdrawal' : 'cancellation'} terms={terms} frame={frame} />
  }
  return (
    <DeskFrame {...frame} heading={words(titleLabels[kind])}>
      {error ? (
        <LoadError title={words('policies.detail_failed')} error={error} retry={() => void refetch()} />
      ) : (
        <Loading className="grid gap-4">
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-48 w-full" />
        </Loading>
      )}
    </DeskFrame>
  )
}
