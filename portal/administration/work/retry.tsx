import { useState } from 'react'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { retryAllJobs, type retryJobs, type retryMails } from '#common/administration/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { reload } from '../use-records.ts'

type Props = {
  /** Retries jobs or emails. */
  call: typeof retryJobs | typeof retryMails
  uuids: readonly string[]
  label: string
  onDone?: () => void
  className?: string
}

/** Retries the records that still need it, now. Those that another user has retried since are skipped. */
export function Retry({ call, uuids, label, onDone, className = '' }: Props) {
  const { words } = useWords()
  const [busy, setBusy] = useState(false)
  async function send() {
    setBusy(true)
    try {
      const { retried } = await ask(call, { uuids: [...uuids] })
      await reload()
      showToast({ severity: 'success', summary: words('administration.retried', { count: retried }) })
      onDone?.()
    } catch (error) {
      alertError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button look="quiet" icon="repeat" busy={busy} className={className} onClick={() => void send()}>
      {label}
    </Button>
  )
}

type RetryAllProps = {
  /** The number of failed jobs in the list, on all pages. */
  count: number
  /** The business unit by which the list is filtered. */
  unit: string | undefined
}

/** Retries all failed jobs after a confirmation: an outage of the mail server leaves thousands. */
export function RetryAll({ count, unit }: RetryAllProps) {
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
