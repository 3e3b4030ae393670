import { lazy, Suspense, useState } from 'react'
import type { TicketKind } from '#common/products/tickets.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout, Card } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { dropDraft, isAboutAnother, isBegun, useDrafts } from './draft.ts'
import type { Filed } from './form/ticket-form.tsx'
import { useForms } from './use-tickets.ts'

/** Loads the form once it is needed, or is about to be. */
export const loadForm = () => import('./form/ticket-form.tsx')
const WriteTicket = lazy(() => loadForm().then(({ WriteTicket }) => ({ default: WriteTicket })))

type Props = {
  kind: TicketKind
  policyUuid: string | undefined
  typeKey: string | undefined
  onResume: () => void
  onCancel: () => void
  onFiled: (filed: Filed) => void
  onType: () => void
}

/** The form for a new ticket. A draft about another policy must be resumed or discarded first. */
export function NewTicket({ kind, onResume, ...rest }: Props) {
  const { forms, error, refetch } = useForms(kind)
  const { policyUuid } = rest
  const [isBlocked, setIsBlocked] = useState(() => policyUuid !== undefined && isAboutAnother(useDrafts.getState()[kind], policyUuid))
  if (isBlocked) return <DraftCallout kind={kind} onResume={onResume} onDiscard={() => setIsBlocked(false)} />
  if (forms)
    return (
      <Suspense fallback={<FormSkeleton />}>
        <WriteTicket kind={kind} forms={forms} {...rest} />
      </Suspense>
    )
  if (error) return <LoadError error={error} retry={() => void refetch()} />
  return <FormSkeleton />
}

const FormSkeleton = () => (
  <Loading className="max-w-4xl">
    <Card>
      <Skeleton className="h-96 w-full" />
    </Card>
  </Loading>
)

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
