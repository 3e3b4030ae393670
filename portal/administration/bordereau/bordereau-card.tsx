import { useRef } from 'react'
import { bordereauFile, releaseBordereau } from '#common/administration/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { useDownload } from '#portal/kit/file/use-download.ts'
import { useFormat } from '#portal/kit/format.ts'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useUser } from '#portal/session/session.ts'
import { reload } from '../use-records.ts'
import { Facts } from '../record.tsx'
import { ClaimCounts, ControlSums } from './control-sums.tsx'
import { type Bordereau, BordereauState, type Control, kindNames } from './period.tsx'

/** A bordereau: who prepared and released it, its contents, and its files. */
export function BordereauCard({ bordereau }: { bordereau: Bordereau }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const { kind, businessUnits, preparedBy, preparedAt, releasedBy, releasedAt, sums, claims, state } = bordereau
  const card = useRef<HTMLDivElement>(null)
  return (
    <div ref={card} tabIndex={-1} className="outline-none">
      <Card
        level={3}
        title={[words(kindNames[kind]), ...businessUnits.map(({ brandName }) => brandName)].join(' · ')}
        actions={<BordereauState state={state} />}
      >
        <Facts
          facts={[
            [words('administration.bordereau_prepared_by'), preparedBy && `${preparedBy.name} · ${moment(preparedAt)}`],
            [words('administration.bordereau_released_by'), releasedBy && releasedAt && `${releasedBy.name} · ${moment(releasedAt)}`],
          ]}
        />
        {sums?.map(sum => (
          <ControlSums key={sum.currency} sums={sum} />
        ))}
        {claims && <ClaimCounts claims={claims} />}
        {state === 'failed' && <p className="text-sm text-quiet">{words('refusal.bordereau.failed')}</p>}
        <Release bordereau={bordereau} onReleased={() => card.current?.focus()} />
        <Files bordereau={bordereau} />
      </Card>
    </div>
  )
}

type ReleaseProps = { bordereau: Bordereau; onReleased: () => void }

/** The button disappears when it is released, so the focus moves to the bordereau. */
function Release({ bordereau: { uuid, state, mayRelease, preparedBy, sums, businessUnits }, onReleased }: ReleaseProps) {
  const { words } = useWords()
  const { uuid: self } = useUser()
  if (state !== 'prepared') return null
  async function release() {
    const confirmed = await showAlert({
      mode: 'confirm',
      title: words('administration.bordereau_release_title'),
      description: words('administration.bordereau_release_hint'),
      buttonTitle: words('administration.bordereau_release'),
      buttonBehavior: () => ask(releaseBordereau, { uuid }),
    })
    if (confirmed) showToast({ severity: 'success', summary: words('administration.bordereau_was_released') })
    // If another administrator was faster, this shows their release.
    await reload()
    if (confirmed) onReleased()
  }
  if (mayRelease)
    return (
      <div>
        <Button onClick={() => void release()}>{words('administration.bordereau_release')}</Button>
      </div>
    )
  const unequal = sums?.filter(({ equal }) => !equal) ?? []
  return (
    <p className="text-sm text-quiet">
      {unequal.length > 0
        ? words('refusal.bordereau.unequal', { agencies: differing(unequal, businessUnits) })
        : words(preparedBy?.uuid === self ? 'administration.bordereau_own' : 'refusal.bordereau.new_administrator')}
    </p>
  )
}

/** Names the agencies whose sums differ. A difference that no agency explains is attributed to all. */
function differing(sums: readonly Control[], all: Bordereau['businessUnits']): string {
  const own = sums.flatMap(({ units }) => units.filter(({ equal }) => !equal).map(({ businessUnit }) => businessUnit))
  return [...new Set((own.length > 0 ? own : all).map(({ brandName }) => brandName))].join(', ')
}

function Files({ bordereau: { uuid, files, state } }: { bordereau: Bordereau }) {
  const { words } = useWords()
  const { busy, download } = useDownload()
  if (state === 'preparing') return null
  return (
    <div role="group" aria-label={words('administration.bordereau_files')} className="flex flex-wrap gap-2">
      {files.map(({ name }) => (
        <Button
          key={name}
          look="quiet"
          icon="download"
          busy={busy === name}
          onClick={() => void download(bordereauFile, { uuid, name }, name)}
        >
          {name}
        </Button>
      ))}
    </div>
  )
}
