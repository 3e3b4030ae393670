import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { forgotPassword } from '#common/session/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { SheetPage } from '#portal/kit/page/sheet-page.tsx'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'
import { EmailField } from '../form/sign-in-fields.tsx'

export function Forgot() {
  const { words } = useWords()
  const [sent, setSent] = useState(false)
  const { busy, failure, submit } = useSubmit(async ({ email = '' }) => {
    await ask(forgotPassword, { email })
    setSent(true)
  })
  return (
    <SheetPage title={words('session.forgot.title')}>
      <output className="text-quiet">{sent ? words('session.forgot.sent') : words('session.forgot.intro')}</output>
      {!sent && (
        <form onSubmit={submit} className="grid gap-4">
          <EmailField required error={failure.fields['email']} />
          <FormError text={failure.message} />
          <Button type="submit" busy={busy}>
            {words('session.forgot.submit')}
          </Button>
        </form>
      )}
      <Link
        to="/auth/sign-in"
        search={{}}
        className="inline-flex min-h-(--control) items-center justify-self-center text-sm text-quiet underline underline-offset-4"
      >
        {words('session.forgot.back')}
      </Link>
    </SheetPage>
  )
}
