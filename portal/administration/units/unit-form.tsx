import { changeUnit } from '#common/administration/unit-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { ErrorSummary, RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useUnsaved } from '#portal/kit/form/use-unsaved.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { useWords } from '#portal/kit/words.tsx'
import { reload } from '../queries.ts'
import { LoadLatest, useConflict } from '../conflict.tsx'
import { SaveInFoot } from '../form-actions.tsx'
import type { Unit } from './unit.tsx'
import { UnitFields } from './unit-fields.tsx'
import { factsIn, unitFormProblems, type UnitValues, valuesOf } from './unit-values.ts'

export function UnitForm({ unit: { uuid, version, facts }, foot }: { unit: Unit; foot: HTMLElement | null }) {
  const { words } = useWords()
  const conflict = useConflict()
  const form = useRulesForm<UnitValues>({
    defaultValues: valuesOf(facts),
    rules: unitFormProblems,
    send: async values => {
      await conflict.watch(ask(changeUnit, { uuid, version, ...factsIn(values) }))
      form.reset(values)
      await reload()
      showToast({ severity: 'success', summary: words('administration.saved') })
    },
  })
  useUnsaved(form.formState.isDirty)
  return (
    <RulesForm form={form} className="grid gap-6 pt-2">
      <ErrorSummary />
      <UnitFields />
      {conflict.hasConflict && <LoadLatest />}
      <SaveInFoot form={form} foot={foot} />
    </RulesForm>
  )
}
