import { useState } from 'react'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import type { retryJobs, retryMails } from '#common/administration/work-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { reload } from '../queries.ts'

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
