import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { Button, buttonLook } from '#portal/kit/ui/button.tsx'
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

/** Shows the status, the message and a link home if a page fails (spec 2) or is forbidden. A page that may load later can be tried again. */
export function ErrorScreen({ status, message, title: ownTitle, children }: Props) {
  const { words } = useWords()
  const title = ownTitle ?? words(status === 403 ? 'shell.no_access' : 'shell.wrong')
  useTitle(title)
  const retry = useRouter().invalidate
  useEffect(() => {
    // Loads the page again until the service is back.
    if (status !== 503) return
    const timer = setInterval(retry, retryMs)
    return () => clearInterval(timer)
  }, [status, retry])
  return (
    <div className="grid min-h-[min(100dvh,40rem)] place-content-center justify-items-center gap-3 p-6 text-center">
      <p className="text-lg text-faint">{status}</p>
      <h1 className="text-xl font-semibold">{title}</h1>
      {message && <p className="max-w-lg break-words text-quiet">{words('shell.error', { message })}</p>}
      {children}
      {status > 404 && <Button onClick={() => void retry()}>{words('shell.try_again')}</Button>}
      <Link to="/" className={buttonLook('quiet')}>
        {words('shell.home')}
      </Link>
    </div>
  )
}
