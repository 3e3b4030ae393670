import type { ReactNode } from 'react'
import { Page } from '#portal/kit/page/page.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { StartOver } from './start-over.tsx'
import { Steps } from './steps.tsx'
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
