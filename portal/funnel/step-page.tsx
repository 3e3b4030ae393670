import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from '#portal/kit/page/page.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { StartOver } from './start-over.tsx'
import type { Step } from './store.ts'

/** The parts that every step's page shows: the start of a new sale, and a notice about the source of this one. */
export type StepFrame = { onStart: (step: Step) => void; notice: ReactNode }

type Props = { step: Step; frame: StepFrame; onLeave?: (() => void) | undefined; children: ReactNode }

const titles = { 1: 'funnel.step1', 2: 'funnel.step2', 3: 'funnel.step3' } as const

/** The page of a step: its title, and the links back to earlier steps. */
export function StepPage({ step, frame: { onStart, notice }, onLeave, children }: Props) {
  const { words } = useWords()
  return (
    <Page
      title={words(titles[step])}
      beside={
        <div className="flex flex-wrap items-center justify-end gap-x-1 sm:gap-x-2">
          <StartOver onStart={onStart} />
          <Steps current={step} onLeave={onLeave} />
        </div>
      }
    >
      {notice}
      {children}
    </Page>
  )
}

const names = ['funnel.step1', 'funnel.step2', 'funnel.step3'] as const

/** Shows the current step, with links back to the earlier ones. */
function Steps({ current, onLeave }: { current: Step; onLeave?: (() => void) | undefined }) {
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
