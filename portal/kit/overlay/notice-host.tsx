import { lazy, Suspense } from 'react'
import { PageLoader } from './loader.tsx'
import { useAlert } from './notices.ts'
import { Toasts } from './toast.tsx'

const AlertModal = lazy(() => import('./alert-modal.tsx').then(({ AlertModal }) => ({ default: AlertModal })))

/** Alert, toast and loader (spec 2), once for the whole portal: whoever has something to say calls `notices.ts`. */
export function Notices() {
  const asked = useAlert(({ isVisible }) => isVisible)
  return (
    <>
      {asked && (
        <Suspense>
          <AlertModal />
        </Suspense>
      )}
      <Toasts />
      <PageLoader />
    </>
  )
}
