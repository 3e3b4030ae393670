import { retryAllJobs } from '#common/administration/work-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { reload } from '../queries.ts'

type Props = {
  /** The number of failed jobs in the list, on all pages. */
  count: number
  /** The business unit by which the list is filtered. */
  unit: string | undefined
}

/** Retries all failed jobs after a confirmation: an outage of the mail server leaves thousands. */
export function RetryAll({ count, unit }: Props) {
  const { words } = useWords()
  async function retry() {
    let retried = 0
    const confirmed = await showAlert({
      mode: 'confirm',
      title: words('administration.retry_all_title'),
      description: words('administration.retry_all_hint', { count }),
      buttonTitle: words('administration.retry'),
      buttonBehavior: async () => {
        retried = (await ask(retryAllJobs, unit ? { businessUnitUuid: unit } : {})).retried
      },
    })
    if (!confirmed) return
    await reload()
    showToast({ severity: 'success', summary: words('administration.retried', { count: retried }) })
  }
  return (
    <Button look="quiet" icon="repeat" onClick={() => void retry()}>
      {words('administration.retry_all', { count })}
    </Button>
  )
}
