import { changeUser } from '#common/administration/calls.ts'
import type { Problem } from '#common/kit/problems.ts'
import { fieldProblems } from '#common/kit/validators/all.ts'
import { ask } from '#portal/kit/ask.ts'
import { BoundText } from '#portal/kit/form/bound.tsx'
import { BoundSwitch } from '#portal/kit/form/bound-more.tsx'
import { ErrorSummary, RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useUnsaved } from '#portal/kit/form/use-unsaved.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { useWords } from '#portal/kit/words.tsx'
import { reload } from '../use-records.ts'
import { LoadLatest, SaveInFoot, useConflict } from '../form-actions.tsx'
import { type Member, memberProblems, Memberships, membersOf, sentMembers, type User } from './user.tsx'

type Values = { name: string; administrator: boolean; businessUnits: Member[] }

export function UserForm({ user, foot }: { user: User; foot: HTMLElement | null }) {
  const { words, locale } = useWords()
  const { uuid, version, active } = user
  const conflict = useConflict()
  const form = useRulesForm<Values>({
    defaultValues: { name: user.name, administrator: user.administrator, businessUnits: membersOf(user) },
    rules: ({ name, businessUnits }): Problem[] => [
      ...fieldProblems('name', name, ['required'], { locale, today: '' }),
      // Administrators need no unit, and neither do users whose only invitation was removed.
      ...(businessUnits.length === 0 ? [] : memberProblems(businessUnits)),
    ],
    send: async ({ name, administrator, businessUnits }) => {
      const members = sentMembers(businessUnits)
      await conflict.watch(ask(changeUser, { uuid, version, name, active, administrator, businessUnits: members }))
      await reload()
      showToast({ severity: 'success', summary: words('administration.saved') })
    },
  })
  useUnsaved(form.formState.isDirty)
  return (
    <RulesForm form={form} className="grid gap-6">
      <ErrorSummary />
      <BoundText name="name" label={words('administration.name')} required maxLength={120} autoComplete="off" />
      <Memberships />
      <BoundSwitch
        name="administrator"
        label={words('administration.administrator_switch')}
        hint={words('administration.administrator_hint')}
      />
      {conflict.hasConflict && <LoadLatest />}
      <SaveInFoot form={form} foot={foot} />
    </RulesForm>
  )
}
