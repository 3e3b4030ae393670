import { useEffect, useRef, useState } from 'react'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { errorMessage, refusedFields } from './error-message.ts'

/** An error message at the place of the failed action. It is announced at once, and no bar at the bottom hides it. */
export function Failure({ children }: { children: string | undefined }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (children) box.current?.scrollIntoView({ block: 'nearest' })
  }, [children])
  return (
    <div ref={box} role="alert" className="empty:hidden">
      {children && (
        <Callout tone="danger">
          <span className="whitespace-pre-line">{children}</span>
        </Callout>
      )}
    </div>
  )
}

/** Runs the action of a dialog without fields, and keeps a refusal: a line for each problem. */
export function useRefusals() {
  const { words } = useWords()
  const [problems, setProblems] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  async function run(work: () => Promise<void>) {
    setBusy(true)
    setProblems([])
    try {
      await work()
    } catch (error) {
      const fields = refusedFields(error).map(({ message }) => message)
      setProblems(fields.length > 0 ? fields : [errorMessage(error, words)])
    } finally {
      setBusy(false)
    }
  }
  return { problems, setProblems, busy, run }
}

/** Shows a refusal. It is rendered from the start, so that a screen reader announces its text. */
export const Refusals = ({ title, problems }: { title: string; problems: readonly string[] }) => (
  <div role="alert" className="empty:hidden">
    {problems.length > 0 && (
      <Callout tone="danger" title={title}>
        <ul className="grid gap-1">
          {problems.map(problem => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      </Callout>
    )}
  </div>
)
