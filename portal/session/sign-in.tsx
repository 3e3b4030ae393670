import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { login } from '#common/session/calls.ts'
import { home } from '#common/session/redirect.ts'
import { ask } from '#portal/kit/ask.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { leaveFor, signsInElsewhere } from './elsewhere.ts'
import { Frame } from './frame.tsx'
import { useSubmit } from './use-submit.ts'

const route = getRouteApi('/auth/sign-in')

export function SignIn() {
  const { words } = useWords()
  const { redirect } = route.useSearch()
  const navigate = useNavigate()
  const { busy, failure, submit } = useSubmit(async ({ email = '', password = '' }) => {
    const { callback } = await ask(login, { email, password, ...(redirect ? { redirect } : {}) })
    await navigate({ href: callback, replace: true })
  })
  return (
    <Frame title={words('session.sign_in.title')}>
      {signsInElsewhere() ? (
        <Button onClick={() => void leaveFor(redirect ?? home)}>{words('session.sign_in.submit')}</Button>
      ) : (
        <form onSubmit={submit} className="grid gap-4">
          {redirect && <p className="text-sm text-quiet">{words('session.sign_in.ended')}</p>}
          <TextField
            label={words('session.sign_in.email')}
            name="email"
            type="email"
            autoComplete="username"
            required
            error={failure.fields['email']}
          />
          <TextField
            label={words('session.sign_in.password')}
            name="password"
            type="password"
            autoComplete="current-password"
            required
            error={failure.fields['password']}
          />
          <p role="alert" className="text-sm text-danger empty:hidden">
            {failure.message}
          </p>
          <Button type="submit" busy={busy}>
            {words('session.sign_in.submit')}
          </Button>
          <Link to="/auth/forgot" className="justify-self-center py-2 text-sm text-quiet underline underline-offset-4">
            {words('session.sign_in.forgot')}
          </Link>
        </form>
      )}
    </Frame>
  )
}
