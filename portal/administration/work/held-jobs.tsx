import { type overview, releaseJobs } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { reload } from '../queries.ts'

/** Warns on every tab that a restored copy holds its jobs, and releases them. */
export function HeldJobs({ overview: { jobsHeldSince, jobsWaiting: count } }: { overview: ResponseOf<typeof overview> }) {
  const { words } = useWords()
  const { moment } = useFormat()
  if (!jobsHeldSince) return null
  async function release() {
    const confirmed = await showAlert({
      mode: 'confirm',
      title: words('administration.release_title'),
      description: words('administration.release_hint', { count }),
      buttonTitle: words('administration.release'),
      buttonBehavior: () => ask(releaseJobs, {}),
    })
    if (!confirmed) return
    await reload()
    showToast({ severity: 'success', summary: words('administration.released') })
  }
  return (
    <div role="status">
      <Callout tone="warning" title={words('administration.held_title', { at: moment(jobsHeldSince) })}>
        <p>{words('administration.held', { count })}</p>
        <Button look="quiet" className="mt-2" onClick={() => void release()}>
          {words('administration.release')}
        </Button>
      </Callout>
    </div>
  )
}
