import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { login } from '#common/session/calls.ts'
import { home } from '#common/session/redirect.ts'
import { ask } from '#portal/kit/ask.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { leaveFor, signsInElsewhere } from './external-sign-in.ts'
import { SheetPage } from '#portal/kit/ui/sheet-page.tsx'
import { useCode } from './form/use-code.ts'
import { FormError } from '#portal/kit/submit/form-error.tsx'
import { useSubmit } from '#portal/kit/submit/use-submit.ts'

const CodeField = lazy(() => import('./form/code-field.tsx').then(({ CodeField }) => ({ default: CodeField })))
const route = getRouteApi('/auth/sign-in')
const linkLook = 'justify-self-center py-2 text-sm text-quiet underline underline-offset-4'

export function SignIn() {
  const { words } = useWords()
  const { redirect } = route.useSearch()
  const navigate = useNavigate()
  const code = useCode()
  const { busy, failure, submit } = useSubmit(async ({ email = '', password = '', code: given }) => {
    const question = { email, password, ...(given ? { code: given } : {}), ...(redirect ? { redirect } : {}) }
    const signedIn = await code.unlessWanted(ask(login, question))
    if (signedIn) await navigate({ href: signedIn.callback, replace: true })
  })
  return (
    <SheetPage title={words(code.wanted ? 'session.code.title' : 'session.sign_in.title')}>
      {signsInElsewhere() ? (
        <Button onClick={() => void leaveFor(redirect ?? home)}>{words('session.sign_in.submit')}</Button>
      ) : (
        <form onSubmit={submit} className="grid gap-4">
          {redirect && !code.wanted && <p className="text-sm text-quiet">{words('session.sign_in.ended')}</p>}
          <div hidden={code.wanted} className="grid gap-4 [[hidden]]:hidden">
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
          </div>
          {code.wanted && (
            <Suspense>
              <CodeField />
            </Suspense>
          )}
          <FormError text={failure.message} />
          <Button type="submit" busy={busy}>
            {words('session.sign_in.submit')}
          </Button>
          {code.wanted && (
            <button type="button" onClick={code.again} className={linkLook}>
              {words('session.forgot.back')}
            </button>
          )}
          <Link to="/auth/forgot" className={linkLook}>
            {words('session.sign_in.forgot')}
          </Link>
        </form>
      )}
    </SheetPage>
  )
}
