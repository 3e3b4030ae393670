import { useLocation } from '@tanstack/react-router'
import { type ChangeEvent, lazy, Suspense, useEffect, useState } from 'react'
import { clientFind, type ClientPolicy, clientPolicy } from '#common/client/calls.ts'
import { readDate } from '#common/kit/dates.ts'
import { typedDate } from '#common/kit/typed/typed-date.ts'
import { ask } from '#portal/kit/ask.ts'
import { errorMessage, isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { SheetPage } from '#portal/kit/page/sheet-page.tsx'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { cookieLocale, showLanguage, useWords } from '#portal/kit/words.tsx'
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

/** Emails the link of a policy to the policyholder. The response reveals nothing about the policy. */
function FindForm({ isDead }: { isDead: boolean }) {
  const { words } = useWords()
  const [isSent, setIsSent] = useState(false)
  const birth = useBirthDate()
  const { busy, failure, submit } = useSubmit(async ({ number = '', docNumber = '', birthDate = '' }) => {
    if (!birth.check()) return
    await ask(clientFind, { number, docNumber, birthDate })
    setIsSent(true)
  })
  return (
    <SheetPage forClient title={words('client.find_title')}>
      <output className="grid gap-2 text-quiet">
        {isDead && !isSent && <span className="font-semibold text-ink">{words('client.find_dead')}</span>}
        {words(isSent ? 'client.find_sent' : 'client.find_intro')}
      </output>
      {!isSent && (
        <form onSubmit={submit} className="grid gap-4">
          <TextField label={words('client.number')} name="number" autoComplete="off" maxLength={60} required />
          <TextField label={words('client.find_document')} name="docNumber" autoComplete="off" maxLength={60} required />
          <TextField {...birth.field} label={words('client.find_birth')} name="birthDate" autoComplete="bday" required />
          <FormError text={failure.message} />
          <Button type="submit" busy={busy}>
            {words('client.find_send')}
          </Button>
        </form>
      )}
    </SheetPage>
  )
}

/** Reads a birth date typed as everywhere in the portal. The page loads no calendar, in which a birth date is hard to find. */
function useBirthDate() {
  const { words } = useWords()
  const [text, setText] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const check = (): boolean => {
    const isDate = readDate(text) !== undefined
    setIsWrong(!isDate)
    if (!isDate) document.querySelector<HTMLInputElement>('[name=birthDate]')?.focus()
    return isDate
  }
  return {
    check,
    field: {
      inputMode: 'numeric',
      placeholder: words('ui.date.format'),
      value: text,
      error: isWrong ? words('client.find_birth_wrong') : undefined,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setText(typedDate(text, target.value)),
      onBlur: () => setIsWrong(text !== '' && readDate(text) === undefined),
    } as const,
  }
}
