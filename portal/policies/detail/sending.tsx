import { type ComponentProps, lazy, Suspense, useEffect } from 'react'
import { logOnly } from '#portal/kit/log.ts'
import type { SendDialog } from '../send-dialog.tsx'

const load = () => import('../send-dialog.tsx')
const Dialog = lazy(() => load().then(({ SendDialog }) => ({ default: SendDialog })))

/** Loads the dialog as soon as there is a button that opens it. */
export function useSendingSoon(isOffered: boolean): void {
  useEffect(() => {
    if (isOffered) load().catch(logOnly('loading the dialog that sends'))
  }, [isOffered])
}

/** The dialog that sends policies and saved quotes. */
export function Sending(props: ComponentProps<typeof SendDialog>) {
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  )
}
