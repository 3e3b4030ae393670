import { later } from '#portal/kit/page/later.tsx'
import { loadMessages } from '#portal/kit/words.tsx'
import { PageLoader } from './loader.tsx'
import { useAlert, useToast } from './notices.ts'

const [AlertModal] = later(async () => {
  const [{ AlertModal }] = await Promise.all([import('./alert-modal.tsx'), loadMessages('alert')])
  return AlertModal
})

const [Toast, load] = later(async () => (await import('./toast.tsx')).Toast)
/** Loaded separately, as no first page shows a toast. */
export const loadToast = load

/** Alert, toast and loader (spec 2), once for the whole portal. The functions of `notices.ts` open them. */
export function Notices() {
  const isAlertVisible = useAlert(({ isVisible }) => isVisible)
  return (
    <>
      {isAlertVisible && <AlertModal />}
      <Toasts />
      <PageLoader />
    </>
  )
}

/** The regions of toasts. They are always in the page, so that screen readers announce toasts: errors at once, others politely. */
function Toasts() {
  const toast = useToast()
  const urgent = toast.severity === 'error'
  const shown = toast.isVisible && <Toast key={toast.number} toast={toast} />
  return (
    <>
      <div role="status">{!urgent && shown}</div>
      <div aria-live="assertive">{urgent && shown}</div>
    </>
  )
}
