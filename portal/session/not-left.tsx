import { useCallback, useEffect, useState } from 'react'
import { Button } from '#portal/kit/ui/button.tsx'
import { useTitle } from '#portal/kit/ui/page.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { endMarked } from './open.ts'
import { forgetSession, useLeaving } from './sign-out.ts'

const againMs = 5000

/** Ends the session, as often as it takes; nothing else is shown meanwhile. Quiet as long as it may be done in a moment. */
export function Leaving() {
  const { words } = useWords()
  const [failed, setFailed] = useState(false)
  const [busy, setBusy] = useState(false)
  const title = words('session.not_left.title')
  useTitle(title)
  const end = useCallback(async () => {
    setBusy(true)
    // No page is shown any more: what the session left goes at once, also where it cannot be ended yet.
    forgetSession()
    const ended = await endMarked()
    setBusy(false)
    setFailed(!ended)
    // What has begun for this user goes with the page. One that was only just opened goes on as it is: its address may be a link from a mail.
    if (ended && useLeaving.getState().since === 'before') useLeaving.setState({ since: undefined })
    else if (ended) window.location.replace('/')
  }, [])
  // oxlint-disable-next-line react/set-state-in-effect -- leaving goes on by itself
  useEffect(() => void end(), [end])
  useEffect(() => {
    if (busy || !failed) return
    const timer = setTimeout(() => void end(), againMs)
    return () => clearTimeout(timer)
  }, [busy, failed, end])
  if (!failed) return null
  return (
    <main role="alert" className="grid min-h-dvh place-content-center justify-items-center gap-3 p-6 text-center">
      <h1 className="text-xl font-semibold">{title}</h1>
      <p className="max-w-96 text-quiet">{words('session.not_left.text')}</p>
      <Button busy={busy} onClick={() => void end()}>
        {words('shell.try_again')}
      </Button>
    </main>
  )
}
