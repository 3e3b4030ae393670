import { useQueryClient } from '@tanstack/react-query'
import { changePassword } from '#common/session/account-calls.ts'
import { fieldProblems } from '#common/kit/validators/all.ts'
import { ask } from '#portal/kit/ask.ts'
import { BoundText } from '#portal/kit/form/bound.tsx'
import { RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useUser } from '../session.ts'

const empty = { current: '', password: '' }

export function PasswordCard() {
  const { words } = useWords()
  const { email } = useUser()
  const client = useQueryClient()
  const form = useRulesForm<typeof empty>({
    defaultValues: empty,
    rules: ({ current, password }) => [
      ...fieldProblems('current', current, ['required'], { locale: 'en-EN', today: '' }),
      ...fieldProblems('password', password, ['required', ['min', { min: 12 }]], { locale: 'en-EN', today: '' }),
    ],
    send: async values => {
      await ask(changePassword, values)
      form.reset(empty)
      await client.invalidateQueries({ queryKey: ['sessions'] })
      showToast({ severity: 'success', summary: words('account.password.changed') })
    },
  })
  return (
    <Card title={words('session.sign_in.password')}>
      <RulesForm form={form} className="grid gap-(--gap) sm:grid-cols-2">
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <BoundText label={words('account.password.current')} name="current" type="password" required autoComplete="current-password" />
        <BoundText
          label={words('session.reset.password')}
          hint={words('session.reset.hint')}
          name="password"
          type="password"
          required
          autoComplete="new-password"
        />
        <div className="flex flex-wrap items-center justify-between gap-2 sm:col-span-2">
          <p className="text-sm text-quiet">{words('account.password.hint')}</p>
          <Button type="submit" look="quiet" busy={form.busy} className="max-sm:flex-1">
            {words('account.password.change')}
          </Button>
        </div>
      </RulesForm>
    </Card>
  )
}
