import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { ChangeDesk } from './change/change-desk.tsx'
import { deskIn, type DeskKind, type DeskParam } from './deeds/desk-params.ts'
import { DeskFrame, type Frame } from './desk-frame.tsx'
import { EndDesk } from './ending/end-desk.tsx'
import { ReinstateDesk } from './ending/reinstate-desk.tsx'
import { useTerms } from './terms.ts'
import { VersionsDesk } from './versions/versions-desk.tsx'

/** Changes, cancels or reinstates a policy, or shows its versions: as the URL says. */
export function Desk(frame: Frame) {
  const { params } = useListParams<DeskParam>()
  const kind = deskIn(params.desk) ?? 'change'
  const key = `${kind} ${frame.policyUuid}`
  return kind === 'versions' ? <VersionsDesk key={key} frame={frame} /> : <DeedDesk key={key} kind={kind} frame={frame} />
}

function DeedDesk({ kind, frame }: { kind: Exclude<DeskKind, 'versions'>; frame: Frame }) {
  const { words } = useWords()
  const { data: terms, error, refetch } = useTerms(frame.policyUuid)
  if (terms) {
    if (kind === 'change') return <ChangeDesk terms={terms} frame={frame} />
    if (kind === 'reinstate') return <ReinstateDesk terms={terms} frame={frame} />
    return <EndDesk as={kind === 'withdraw' ? 'withdrawal' : 'cancellation'} terms={terms} frame={frame} />
  }
  return (
    <DeskFrame {...frame} heading={words(`changes.title_${kind}`)}>
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
