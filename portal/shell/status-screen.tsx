import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { buttonLook } from '#portal/kit/ui/button.tsx'
import { useTitle } from '#portal/kit/page/page.tsx'
import { useWords } from '#portal/kit/words.tsx'

const retryMs = 10_000

type Props = {
  status: number
  message?: string | undefined
  title?: string
  /** The cause and further links, before the link home. */
  children?: ReactNode
}

/** Shows the status, the message and a link home if a page fails (spec 2) or is forbidden. */
export function ErrorScreen({ status, message, title: ownTitle, children }: Props) {
  const { words } = useWords()
  const title = ownTitle ?? words(status === 403 ? 'shell.no_access' : 'shell.wrong')
  useTitle(title)
  const router = useRouter()
  useEffect(() => {
    // Loads the page again until the service is back.
    const timer = status === 503 ? setInterval(() => void router.invalidate(), retryMs) : undefined
    return () => clearInterval(timer)
  }, [status, router])
  return (
    <div className="grid min-h-[min(100dvh,40rem)] place-content-center justify-items-center gap-3 p-6 text-center">
      <p className="text-lg text-faint">{status}</p>
      <h1 className="text-xl font-semibold">{title}</h1>
      {message && <p className="max-w-lg break-words text-quiet">{words('shell.error', { message })}</p>}
      {children}
      <Link to="/" className={`mt-2 ${buttonLook('quiet')}`}>
        {words('shell.home')}
      </Link>
    </div>
  )
}
