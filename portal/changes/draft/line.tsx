import type { ReactNode } from 'react'
import { useWords } from '#portal/kit/words.tsx'

/** Two columns with headings: the policy now, and after the change. */
export function Lines({ children }: { children: ReactNode }) {
  const { words } = useWords()
  return (
    <div className="grid">
      <div aria-hidden="true" className={`${lineLook} text-sm text-quiet max-sm:hidden`}>
        <span />
        <span className="py-2">{words('changes.as_is')}</span>
        <span className="rounded-t-lg bg-sunken px-3 py-2 font-semibold text-ink">{words('changes.as_will_be')}</span>
      </div>
      {children}
    </div>
  )
}

const lineLook =
  'grid grid-cols-[8.5rem_minmax(0,1fr)_minmax(0,1.6fr)] items-stretch gap-x-2 max-sm:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)]'

type Props = {
  name: string
  was: ReactNode
  /** The new value, or its field. */
  children: ReactNode
  /** The difference, at the right. */
  by?: ReactNode
  isTotal?: boolean
  /** Content below a field, over the whole width. */
  below?: ReactNode
}

/** A line of a change. Screen readers hear the column of each value. */
export function Line({ name, was, children, by, isTotal = false, below }: Props) {
  const { words } = useWords()
  return (
    <div role="group" aria-label={name}>
      <div className={`border-t border-hair ${lineLook}`}>
        <span className="self-center py-1.5 text-sm text-quiet max-sm:col-span-2 max-sm:pt-2 max-sm:pb-0" aria-hidden="true">
          {name}
        </span>
        <span className={`min-w-0 self-center py-1.5 wrap-anywhere ${isTotal ? 'text-lg font-semibold text-quiet' : 'text-quiet'}`}>
          <span className="sr-only">{words('changes.as_is')}: </span>
          {was || <span className="text-faint">{words('changes.none')}</span>}
        </span>
        <div
          className={`flex min-w-0 items-center justify-between gap-2 bg-sunken px-3 py-1 max-sm:mb-1 max-sm:rounded-md ${isTotal ? 'text-lg font-bold' : 'font-semibold'}`}
        >
          <div className="min-w-0 flex-1">
            {by !== undefined && <span className="sr-only">{words('changes.as_will_be')}: </span>}
            {children}
          </div>
          {by && <span className="text-sm whitespace-nowrap">{by}</span>}
        </div>
      </div>
      {below}
    </div>
  )
}
