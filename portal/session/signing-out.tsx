import { useEffect, useState } from 'react'
import { Button } from '#portal/kit/ui/button.tsx'
import { useTitle } from '#portal/kit/page/page.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { endMarkedSession } from './open.ts'
import { forgetSession, useSigningOut } from './sign-out.ts'

const retryMs = 5000

/** Ends the session, and retries until that succeeds. No page is shown meanwhile. */
export function SigningOut() {
  const { words } = useWords()
  const [busy, setBusy] = useState(true)
  const [failed, setFailed] = useState(false)
  const title = words(failed ? 'session.not_left.title' : 'session.leaving')
  useTitle(title)
  useEffect(() => {
    if (!busy) {
      const timer = setTimeout(() => setBusy(true), retryMs)
      return () => clearTimeout(timer)
    }
    // No page is shown any more. All data of the session is removed, even if the session cannot be ended yet.
    forgetSession()
    void endMarkedSession().then(ended => {
      setBusy(ended)
      setFailed(!ended)
      // Loading a new page drops everything that runs for this user. A page that was just opened stays, as it may be a link from an email.
      if (ended && useSigningOut.getState().since === 'before') useSigningOut.setState({ since: undefined })
      else if (ended) window.location.replace('/auth/sign-in')
    })
    return undefined
  }, [busy])
  return (
    <main className="grid min-h-dvh place-content-center p-6">
      <div role="alert" className="grid justify-items-center gap-3 text-center">
        <h1 className="text-xl font-semibold">{title}</h1>
        {failed && <p className="max-w-96 text-quiet">{words('session.not_left.text')}</p>}
        {failed && (
          <Button busy={busy} onClick={() => setBusy(true)}>
            {words('shell.try_again')}
          </Button>
        )}
      </div>
    </main>
  )
}
