import type { TicketKind } from '#common/products/tickets.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { dropDraft, isBegun, useDrafts } from './draft.ts'

/** Offers to resume or discard a ticket that was started but not sent. */
export function DraftCallout({ kind, onResume, onDiscard }: { kind: TicketKind; onResume: () => void; onDiscard?: () => void }) {
  const { words } = useWords()
  const draft = useDrafts(drafts => drafts[kind])
  if (!isBegun(draft)) return null
  const discardDraft = async () => {
    const { ticketUploads } = await import('./files/uploads.ts')
    ticketUploads.discard(kind, draft.files)
    dropDraft(kind)
    onDiscard?.()
  }
  return (
    <Callout tone="info" title={words('tickets.draft_left')}>
      <p>{[draft.form.policyNumber, draft.form.subject].filter(Boolean).join(' · ')}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button look="quiet" icon="pencil" onClick={onResume}>
          {words('tickets.go_on')}
        </Button>
        <Button look="plain" icon="trash" onClick={() => void discardDraft()}>
          {words('tickets.discard')}
        </Button>
      </div>
    </Callout>
  )
}
