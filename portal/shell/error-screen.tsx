import { Link } from '@tanstack/react-router'
import { useWords } from '#portal/kit/words.tsx'

/** When the app, or what it was asked for, fails (spec 2): the status, what happened, and a way home. Never a blank page. */
export function ErrorScreen({ status, message }: { status: number; message?: string | undefined }) {
  const { words } = useWords()
  return (
    <main className="grid min-h-dvh place-content-center gap-3 p-6 text-center">
      <p className="text-5xl font-semibold tracking-tight text-accent-ink">{status}</p>
      <h1 className="text-xl font-semibold">{words('shell.wrong')}</h1>
      {message && <p className="text-quiet">{words('shell.error', { message })}</p>}
      <Link to="/" className="py-2 underline underline-offset-4">
        {words('shell.home')}
      </Link>
    </main>
  )
}
