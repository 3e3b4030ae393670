import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { clientPolicy, type ClientPolicy } from '#common/client/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { errorMessage, isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { cookieLocale, showLanguage, useWords } from '#portal/kit/words.tsx'
import { FindForm } from './find-form.tsx'
import { ClientFrame, wide } from './frame.tsx'

const loadView = () => import('./policy-view.tsx')
const PolicyView = lazy(() => loadView().then(({ PolicyView }) => ({ default: PolicyView })))

type Loaded = { token: string; policy?: ClientPolicy; error?: unknown }

/**
 * A policy for its client, who has a link instead of an account. The token is in the fragment of the URL, which reaches no server, and a phone that
 * has unloaded the page can load it again.
 */
export function MyPolicyPage() {
  const { words, locale } = useWords()
  const token = useLocation({ select: ({ hash }) => hash })
  const [loaded, setLoaded] = useState<Loaded>()
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (token === '') return undefined
    // Loads the view together with its policy.
    void loadView().catch(() => undefined)
    const controller = new AbortController()
    ask(clientPolicy, { token }, { signal: controller.signal })
      .then(async policy => {
        const { style } = document.documentElement
        style.setProperty('--accent', policy.brand.accent)
        style.setProperty('--on-accent', policy.brand.onAccent)
        // In the language of the offer or policy, unless the client chose another.
        if (!cookieLocale()) await showLanguage(policy.offer?.locale ?? policy.locale)
        if (!controller.signal.aborted) setLoaded({ token, policy })
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setLoaded(last => (last?.token === token && last.policy ? last : { token, error }))
      })
    return () => controller.abort()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- it loads again in another language, and when asked to
  }, [token, locale, round])

  const current = loaded?.token === token ? loaded : undefined
  const isDead = isRefusedAs(current?.error, 'request.not_found')
  if (token === '' || isDead) return <FindForm isDead={isDead} />
  const frame = (
    <ClientFrame brand="Portolan" title={words('client.title')}>
      <h1 className="sr-only">{words('client.title')}</h1>
      {current?.error !== undefined && (
        <div role="alert" className="grid gap-3">
          <p>{errorMessage(current.error, words)}</p>
          <Button look="quiet" className={wide} onClick={() => setRound(last => last + 1)}>
            {words('shell.try_again')}
          </Button>
        </div>
      )}
    </ClientFrame>
  )
  if (!current?.policy) return frame
  return (
    // The policy may arrive before its view.
    <Suspense fallback={frame}>
      <PolicyView key={token} token={token} policy={current.policy} reload={() => setRound(last => last + 1)} />
    </Suspense>
  )
}
