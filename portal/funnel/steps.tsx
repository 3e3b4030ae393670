import { Link } from '@tanstack/react-router'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Step } from './store.ts'

const names = ['funnel.step1', 'funnel.step2', 'funnel.step3'] as const

/** Shows the current step, with links back to the earlier ones. */
export function Steps({ current, onLeave }: { current: Step; onLeave?: (() => void) | undefined }) {
  const { words } = useWords()
  return (
    <nav aria-label={words('funnel.steps')}>
      <ol className="flex flex-wrap items-center gap-x-0.5 gap-y-1 text-sm sm:gap-x-2">
        {names.map((name, index) => {
          const step = index + 1
          const done = step < current
          return (
            <li key={name} className={`flex items-center gap-0.5 sm:gap-2 ${step > current ? 'max-[22.5rem]:sr-only' : ''}`}>
              {index > 0 && <Icon name="chevron-right" className="size-3.5 text-faint" />}
              {done ? (
                <Link
                  to="/funnel"
                  search={{ step: String(step) }}
                  onClick={onLeave}
                  className="flex min-h-(--control) items-center gap-1.5 text-quiet hover:text-ink"
                >
                  <Icon name="check" className="size-3.5 max-sm:hidden" /> {words(name)}
                </Link>
              ) : (
                <span
                  aria-current={step === current ? 'step' : undefined}
                  className={`flex min-h-(--control) items-center gap-2 ${step === current ? 'font-semibold' : 'text-faint'}`}
                >
                  {words(name)}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
