import { type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form'
import { focusFirstProblem } from '#portal/kit/form/focus-first.ts'
import { problemList } from '#portal/kit/form/problems.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** The number of problems in a form, as a link to the first. */
export function Mend<Values extends FieldValues>({ control }: Pick<UseFormReturn<Values>, 'control'>) {
  const { words } = useWords()
  const { errors } = useFormState({ control })
  const count = problemList(errors).length
  return (
    <div role="status" className="empty:hidden">
      {count > 0 && (
        <button
          type="button"
          onClick={() => focusFirstProblem()}
          className="flex min-h-(--control) items-center gap-1.5 text-sm font-semibold whitespace-nowrap text-danger underline decoration-current/30 underline-offset-4 hover:decoration-current"
        >
          <Icon name="alert-circle" className="size-3.5" /> {words('funnel.mend', { count })}
        </button>
      )}
    </div>
  )
}
