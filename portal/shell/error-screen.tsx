import type { ErrorComponentProps } from '@tanstack/react-router'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Refused, Unreachable } from '#portal/kit/ask.ts'
import { buttonLook } from '#portal/kit/ui/button.tsx'
import { useTitle } from '#portal/kit/ui/page.tsx'
import { useWords } from '#portal/kit/words.tsx'

const lookAgainMs = 10_000

/** Somebody signed in who may not open this page (spec 6). */
export class Forbidden extends Error {}

/** When the app, or what it was asked for, fails (spec 2): the status, what happened, and a way home. Never a blank page. */
function ErrorScreen({ status, message }: { status: number; message?: string | undefined }) {
  const { words } = useWords()
  useTitle(words('shell.wrong'))
  const router = useRouter()
  useEffect(() => {
    // The service will be there again.
    const timer = status === 503 ? setInterval(() => void router.invalidate(), lookAgainMs) : undefined
    return () => clearInterval(timer)
  }, [status, router])
  return (
    <div className="grid min-h-[min(100dvh,40rem)] place-content-center justify-items-center gap-3 p-6 text-center">
      <p className="text-5xl font-semibold tracking-tight text-accent-ink">{status}</p>
      <h1 className="text-xl font-semibold">{words('shell.wrong')}</h1>
      {message && <p className="max-w-lg break-words text-quiet">{words('shell.error', { message })}</p>}
      <Link to="/" className={`mt-2 ${buttonLook('quiet')}`}>
        {words('shell.home')}
      </Link>
    </div>
  )
}

export function NotFound() {
  const { words } = useWords()
  const { pathname } = useLocation()
  return <ErrorScreen status={404} message={words('shell.not_found', { path: pathname })} />
}

/** A part of the portal that could not be had, in the words of each browser. */
const isPartMissed = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message)

export function Failed({ error }: ErrorComponentProps) {
  const { words } = useWords()
  if (error instanceof Forbidden) return <ErrorScreen status={403} message={words('shell.forbidden')} />
  if (error instanceof Refused) return <ErrorScreen status={error.failure.code} message={error.message} />
  if (error instanceof Unreachable || isPartMissed(error)) return <ErrorScreen status={503} message={words('shell.offline')} />
  return <ErrorScreen status={500} message={error instanceof Error ? error.message || undefined : undefined} />
}
