import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isLocale, type Locale, locales } from '#common/kit/locales.ts'
import { fieldProblems } from '#common/kit/validators/all.ts'
import { changePassword, twoFactor, updateMe } from '#common/session/account-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { BoundSelect, BoundText } from '#portal/kit/form/bound.tsx'
import { RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { chooseLanguage, languageNames } from '#portal/kit/language.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import { useAppearance } from '#portal/kit/ui/appearance.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { NewPasswordForm } from '../form/new-password-form.tsx'
import { hasExternalSignIn, setSession, useUser } from '../session.ts'
import { SessionsCard } from './sessions-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

/** The settings of the user's own account. With external sign-in, password and codes are managed elsewhere. */
export function MyProfile() {
  const hasPassword = !hasExternalSignIn()
  const factor = useQuery({ queryKey: ['two-factor'], ...loadingOf(twoFactor, {}), enabled: hasPassword })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-(--card) xl:grid-cols-2">
      <PersonCard />
      {hasPassword && <PasswordCard />}
      {hasPassword && <TwoFactorCard query={factor} />}
      <SessionsCard />
    </div>
  )
}

function PasswordCard() {
  const { words } = useWords()
  const { email } = useUser()
  const client = useQueryClient()
  const [changes, setChanges] = useState(0)
  async function change(values: { current: string; password: string }) {
    await ask(changePassword, values)
    setChanges(changes + 1)
    await client.invalidateQueries({ queryKey: ['sessions'] })
    showToast({ severity: 'success', summary: words('account.password.changed') })
  }
  return (
    <Card title={words('session.sign_in.password')}>
      <NewPasswordForm
        key={changes}
        email={email}
        currentLabel={words('account.password.current')}
        submitLabel={words('account.password.change')}
        quiet
        onSend={change}
        note={<p className="text-sm text-quiet">{words('account.password.hint')}</p>}
      />
    </Card>
  )
}

type PersonForm = { name: string; locale: Locale | ''; density: 'comfortable' | 'compact' | '' }

/** The user's name, language and density, which apply on every device. */
function PersonCard() {
  const { words } = useWords()
  const user = useUser()
  const form = useRulesForm<PersonForm>({
    defaultValues: { name: user.name, locale: user.locale ?? '', density: user.density ?? '' },
    rules: ({ name }) => fieldProblems('name', name, ['required', ['maxLength', { limit: 100 }]], { locale: 'en-EN', today: '' }),
    send: async ({ name, locale, density }) => {
      const changed = await ask(updateMe, { name, locale: locale || null, density: density || null })
      setSession(changed)
      if (density) useAppearance.getState().prefer({ density })
      if (isLocale(locale)) await chooseLanguage(locale)
      form.reset({ name: changed.name, locale, density })
      showToast({ severity: 'success', summary: words('account.saved') })
    },
  })
  return (
    <Card title={words('account.person.title')}>
      <RulesForm form={form} className="grid gap-(--gap) sm:grid-cols-2">
        <BoundText label={words('account.person.name')} name="name" required autoComplete="name" className="sm:col-span-2" />
        <BoundSelect
          label={words('shell.language')}
          name="locale"
          options={[
            { value: '', label: words('account.person.by_agency') },
            ...locales.map(each => ({ value: each, label: languageNames[each] })),
          ]}
        />
        <BoundSelect
          label={words('account.person.density')}
          name="density"
          options={[
            { value: '', label: words('account.person.by_device') },
            { value: 'comfortable', label: words('shell.density.comfortable') },
            { value: 'compact', label: words('shell.density.compact') },
          ]}
        />
        <div className="flex flex-wrap items-center justify-between gap-2 sm:col-span-2">
          <p className="text-sm text-quiet">{user.email}</p>
          <Button type="submit" busy={form.busy} className="max-sm:flex-1">
            {words('account.save')}
          </Button>
        </div>
      </RulesForm>
    </Card>
  )
}
