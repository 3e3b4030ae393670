import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { login } from '#common/session/calls.ts'
import { home } from '#common/session/redirect.ts'
import { ask } from '#portal/kit/ask.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { goToExternalSignIn, hasExternalSignIn } from './session.ts'
import { SheetPage } from '#portal/kit/page/sheet-page.tsx'
import { EmailField, PasswordField, useCode } from './form/sign-in-fields.tsx'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'

const CodeField = lazy(() => import('./form/code-field.tsx').then(({ CodeField }) => ({ default: CodeField })))
const route = getRouteApi('/auth/sign-in')
const linkClass = 'inline-flex min-h-(--control) items-center justify-self-center text-sm text-quiet underline underline-offset-4'

export function SignIn() {
  const { words } = useWords()
  const { redirect } = route.useSearch()
  const navigate = useNavigate()
  const code = useCode()
  const { busy, failure, submit } = useSubmit(async ({ email = '', password = '', code: typedCode }) => {
    const request = { email, password, ...(typedCode ? { code: typedCode } : {}), ...(redirect ? { redirect } : {}) }
    const signedIn = await code.unlessNeeded(ask(login, request))
    if (signedIn) await navigate({ href: signedIn.callback, replace: true })
  })
  return (
    <SheetPage title={words(code.isNeeded ? 'session.code.title' : 'session.sign_in.title')}>
      {hasExternalSignIn() ? (
        <Button onClick={() => void goToExternalSignIn(redirect ?? home)}>{words('session.sign_in.submit')}</Button>
      ) : (
        <form onSubmit={submit} className="grid gap-4">
          {redirect && !code.isNeeded && <p className="text-sm text-quiet">{words('session.sign_in.ended')}</p>}
          <div hidden={code.isNeeded} className="grid gap-4 [[hidden]]:hidden">
            <EmailField
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is there to be typed into; on a touch screen the keyboard would cover it
              autoFocus={!matchMedia('(pointer: coarse)').matches}
              required
              error={failure.fields['email']}
            />
            <PasswordField error={failure.fields['password']} />
          </div>
          {code.isNeeded && (
            <Suspense>
              <CodeField />
            </Suspense>
          )}
          <FormError text={failure.message} />
          <Button type="submit" busy={busy}>
            {words('session.sign_in.submit')}
          </Button>
          {code.isNeeded && (
            <button type="button" onClick={code.reset} className={linkClass}>
              {words('session.forgot.back')}
            </button>
          )}
          <Link to="/auth/forgot" className={linkClass}>
            {words('session.sign_in.forgot')}
          </Link>
        </form>
      )}
    </SheetPage>
  )
}
