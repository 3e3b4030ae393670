import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { ClientPolicy } from '#common/client/calls.ts'
import type { Locale } from '#common/kit/locales.ts'
import { errorMessage, isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { cookieLocale, showLanguage, useWords } from '#portal/kit/words.tsx'
import { ClientFrame, wide } from './frame.tsx'
import { useToken } from './token.ts'

type Loaded<Data> = { token: string; data?: Data; error?: unknown }

/** A kind of page, which is the same object in each render. */
export type LinkedKind<Data> = {
  read: (token: string, signal: AbortSignal) => Promise<Data>
  /** The language in which the page is shown, unless the client chose another. */
  localeOf: (data: Data) => Locale
  /** Loads the view together with its data. */
  loadView: () => Promise<unknown>
  /** Shown if no link is open. `isDead`: there is a token, but it opens nothing. */
  Dead: ComponentType<{ isDead: boolean }>
}

type Props<Data> = {
  title: string
  kind: LinkedKind<Data>
  /** `reload` settles once the page has the new data, or has failed to get it. */
  children: (data: Data, token: string, reload: () => Promise<void>) => ReactNode
}

/**
 * A page for a client, who has a link instead of an account. The token stays in the URL, so a phone that has unloaded the page can load it again.
 */
export function LinkedPage<Data extends Pick<ClientPolicy, 'brand'>>({ title, kind, children }: Props<Data>): ReactNode {
  const { words, locale } = useWords()
  const token = useToken()
  const [loaded, setLoaded] = useState<Loaded<Data>>()
  const [round, setRound] = useState<{ settle?: () => void }>({})
  useEffect(() => {
    if (token === '') return undefined
    void kind.loadView().catch(() => undefined)
    const controller = new AbortController()
    kind
      .read(token, controller.signal)
      .then(async data => {
        const { style } = document.documentElement
        style.setProperty('--accent', data.brand.accent)
        style.setProperty('--on-accent', data.brand.onAccent)
        if (!cookieLocale()) await showLanguage(kind.localeOf(data))
        if (!controller.signal.aborted) setLoaded({ token, data })
      })
      .catch((error: unknown) => {
        const isDead = isRefusedAs(error, 'request.not_found')
        if (!controller.signal.aborted) setLoaded(last => (last?.token === token && last.data && !isDead ? last : { token, error }))
      })
      .finally(round.settle)
    return () => controller.abort()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- it loads again in another language
  }, [kind, token, locale, round])
  const reload = () => new Promise<void>(settle => setRound({ settle }))

  const current = loaded?.token === token ? loaded : undefined
  const isDead = isRefusedAs(current?.error, 'request.not_found')
  if (token === '' || isDead) return <kind.Dead isDead={isDead} />
  const frame = (
    <ClientFrame brand="Portolan" title={title}>
      <h1 className="sr-only">{title}</h1>
      {current?.error !== undefined && (
        <div role="alert" className="grid gap-3">
          <p>{errorMessage(current.error, words)}</p>
          <Button look="quiet" className={wide} onClick={() => void reload()}>
            {words('shell.try_again')}
          </Button>
        </div>
      )}
    </ClientFrame>
  )
  if (!current?.data) return frame
  // The data may arrive before its view.
  return <Suspense fallback={frame}>{children(current.data, token, reload)}</Suspense>
}
