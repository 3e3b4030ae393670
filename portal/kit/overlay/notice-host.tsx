import { later } from '#portal/kit/page/later.tsx'
import { Turning } from '#portal/kit/ui/icon.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { type LoaderState, useAlert, useLoader, useToast } from './notices.ts'

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

/** Covers the page or its `relative` parent while something loads. It appears after 150 ms, so that quick work does not flicker. */
export function Loader({ isVisible, bgTrasparent, fullScreen }: LoaderState) {
  const { words } = useWords()
  return (
    <output
      className={
        isVisible
          ? `${fullScreen ? 'fixed z-50' : 'absolute z-20 rounded-[inherit]'} inset-0 grid animate-appear place-items-center ${bgTrasparent ? '' : 'bg-page/80'}`
          : 'sr-only'
      }
    >
      {isVisible && (
        <>
          <Turning className="size-8 text-quiet" />
          <span className="sr-only">{words('ui.loading')}</span>
        </>
      )}
    </output>
  )
}

/** The loader controlled by `showLoader`. */
function PageLoader() {
  return <Loader {...useLoader()} />
}
