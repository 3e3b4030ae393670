import { useState } from 'react'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { errorMessage, refusedFields } from './error-message.ts'

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
