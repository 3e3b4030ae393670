import { lazy, Suspense } from 'react'
import { loadMessages } from '#portal/kit/words.tsx'
import { PageLoader } from './loader.tsx'
import { useAlert } from './notices.ts'
import { Toasts } from './toast.tsx'

const AlertModal = lazy(async () => {
  const [{ AlertModal }] = await Promise.all([import('./alert-modal.tsx'), loadMessages('alert')])
  return { default: AlertModal }
})

/** Alert, toast and loader (spec 2), once for the whole portal. The functions of `notices.ts` open them. */
export function Notices() {
  const isAlertVisible = useAlert(({ isVisible }) => isVisible)
  return (
    <>
      {isAlertVisible && (
        <Suspense>
          <AlertModal />
        </Suspense>
      )}
      <Toasts />
      <PageLoader />
    </>
  )
}
