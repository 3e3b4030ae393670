import { Link } from '@tanstack/react-router'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Step } from './store.ts'

const names = ['funnel.step1', 'funnel.step2', 'funnel.step3'] as const

/** Shows the current step, and links back to the earlier ones. */
export function Steps({ current, onLeave }: { current: Step; onLeave?: (() => void) | undefined }) {
  const { words } = useWords()
  return (
    <nav aria-label={words('funnel.steps')}>
      <ol className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        {names.map((name, index) => {
          const step = index + 1
          const done = step < current
          return (
            <li key={name} className="flex items-center gap-2">
              {index > 0 && <Icon name="chevron-right" className="size-3.5 text-faint" />}
              {done ? (
                <Link
                  to="/funnel"
                  search={{ step: String(step) }}
                  onClick={onLeave}
                  className="flex min-h-(--control) items-center gap-2 text-quiet hover:text-ink"
                >
                  <Icon name="check-circle" className="text-success" /> <span className="max-sm:sr-only">{words(name)}</span>
                </Link>
              ) : (
                <span
                  aria-current={step === current ? 'step' : undefined}
                  className={`flex min-h-(--control) items-center gap-2 ${step === current ? 'font-semibold' : 'text-faint'}`}
                >
                  <span className="grid size-5 place-items-center rounded-full text-xs inset-ring inset-ring-current">{step}</span>
                  <span className={step === current ? '' : 'max-sm:sr-only'}>{words(name)}</span>
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
