import { type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form'
import { focusFirstProblem } from '#portal/kit/form/focus-first.ts'
import { countQuiet, isMissing, problemList } from '#portal/kit/form/problems.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** Counts quietly what is still empty; once the user wanted to go on, and for what is wrong, as a link to the first problem. */
export function Mend<Values extends FieldValues>({ control }: Pick<UseFormReturn<Values>, 'control'>) {
  const { words } = useWords()
  const { errors } = useFormState({ control })
  const problems = problemList(errors)
  const count = problems.length
  const empty = countQuiet(errors)
  const id = problems.every(({ problem }) => isMissing(problem.type)) ? 'funnel.missing' : 'funnel.mend'
  return (
    <div role="status" className="empty:hidden">
      {count === 0 && empty > 0 && (
        <span className="text-sm whitespace-nowrap text-quiet">{words('funnel.missing', { count: empty })}</span>
      )}
      {count > 0 && (
        <button
          type="button"
          onClick={() => focusFirstProblem()}
          className="flex min-h-(--control) items-center gap-1.5 text-sm font-semibold whitespace-nowrap text-danger underline decoration-current/30 underline-offset-4 hover:decoration-current"
        >
          <Icon name="alert-circle" className="size-3.5" /> {words(id, { count })}
        </button>
      )}
    </div>
  )
}
