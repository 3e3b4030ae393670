import { Turning } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type LoaderState, useLoader } from './notices.ts'

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
export function PageLoader() {
  return <Loader {...useLoader()} />
}
