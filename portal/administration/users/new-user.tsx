import { createUser } from '#common/administration/calls.ts'
import type { Problem } from '#common/kit/problems.ts'
import { fieldProblems } from '#common/kit/validators/all.ts'
import { ask } from '#portal/kit/ask.ts'
import { BoundText } from '#portal/kit/form/bound.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { useWords } from '#portal/kit/words.tsx'
import { NewRecord } from '../form-actions.tsx'
import { reload } from '../use-records.ts'
import { useUnitOptions } from '../use-unit-options.ts'
import { type Member, memberProblems, Memberships, sentMembers } from './user.tsx'

type Values = { name: string; email: string; businessUnits: Member[] }
type Props = { unit: string | undefined; onCreated: (uuid: string) => void; onClose: () => void }

/** Invites a new user, by default to the unit by which the list is filtered. With the invitation they set a password. */
export function NewUser({ unit, onCreated, onClose }: Props) {
  const { words, locale } = useWords()
  const { options } = useUnitOptions(unit)
  const chosen = options.find(({ value }) => value === unit)
  const form = useRulesForm<Values>({
    defaultValues: {
      name: '',
      email: '',
      businessUnits: chosen ? [{ uuid: chosen.value, brandName: chosen.label, roles: ['seller'], active: true, isNew: true }] : [],
    },
    rules: ({ name, email, businessUnits }): Problem[] => [
      ...fieldProblems('name', name, ['required'], { locale, today: '' }),
      ...fieldProblems('email', email, ['required', 'email'], { locale, today: '' }),
      ...memberProblems(businessUnits),
    ],
    send: async ({ name, email, businessUnits }) => {
      const created = await ask(createUser, { name, email, businessUnits: sentMembers(businessUnits) })
      await reload()
      showToast({ severity: 'success', summary: words('administration.user_invited', { name }) })
      onCreated(created.uuid)
    },
  })
  return (
    <NewRecord
      form={form}
      onClose={onClose}
      title={words('administration.new_user')}
      description={words('administration.new_user_hint')}
      button={words('administration.invite')}
    >
      <div className="grid gap-(--gap)">
        <BoundText name="name" label={words('administration.name')} required maxLength={120} autoComplete="off" />
        <BoundText name="email" label={words('administration.email')} type="email" required maxLength={254} autoComplete="off" />
      </div>
      <Memberships />
    </NewRecord>
  )
}
