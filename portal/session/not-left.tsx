import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { Button } from '#portal/kit/ui/button.tsx'
import { useTitle } from '#portal/kit/ui/page.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { endMarked, forgetSession, showLeaving, useLeaving } from './sign-out.ts'

const againMs = 5000

/** Every page stands behind this: as long as a session is to end, only that is shown, and nothing is asked by it. */
export function UnlessLeaving({ children }: { children: ReactNode }) {
  const leaving = useLeaving(({ leaving }) => leaving)
  const [opened] = useState(!leaving)
  useEffect(() => {
    // Another tab may have been closed before it was done.
    const look = () => void showLeaving()
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return leaving ? <Leaving isFirst={!opened} /> : children
}

/** Ends the session, as often as it takes. Quiet as long as it may be done in a moment. */
function Leaving({ isFirst }: { isFirst: boolean }) {
  const [busy, setBusy] = useState(true)
  const [failed, setFailed] = useState(false)
  const end = useCallback(async () => {
    setBusy(true)
    // No page is shown any more: what the session left goes at once, also where it cannot be ended yet.
    forgetSession()
    const ended = await endMarked()
    setBusy(false)
    setFailed(!ended)
    if (!ended) return
    // What has begun for this user goes with the page. One that was only just opened goes on as it is: its address may be a link from a mail.
    if (isFirst) useLeaving.setState({ leaving: false })
    else window.location.replace('/')
  }, [isFirst])
  // oxlint-disable-next-line react/set-state-in-effect -- leaving goes on by itself
  useEffect(() => void end(), [end])
  useEffect(() => {
    if (!failed || busy) return
    const timer = setTimeout(() => void end(), againMs)
    const now = () => void end()
    window.addEventListener('online', now)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', now)
    }
  }, [failed, busy, end])
  return failed ? <NotLeft busy={busy} onAgain={() => void end()} /> : null
}

function NotLeft({ busy, onAgain }: { busy: boolean; onAgain: () => void }) {
  const { words } = useWords()
  const title = words('session.not_left.title')
  useTitle(title)
  return (
    <div className="grid min-h-dvh place-items-center p-4">
      <main role="alert" className="grid w-full max-w-96 gap-6 rounded-xl border border-line bg-sheet p-6 sm:p-8">
        <header className="grid gap-4">
          <p className="font-semibold tracking-tight text-accent-ink">Portolan</p>
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        </header>
        <p>{words('session.not_left.text')}</p>
        <Button busy={busy} onClick={onAgain}>
          {words('session.not_left.again')}
        </Button>
      </main>
    </div>
  )
}
