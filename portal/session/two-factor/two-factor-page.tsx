import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { home, safeRedirect } from '#common/session/redirect.ts'
import { useWords } from '#portal/kit/words.tsx'
import { SheetPage } from '#portal/kit/page/sheet-page.tsx'
import { signOut } from '../open.ts'
import { SetUpTwoFactor } from './set-up.tsx'

const route = getRouteApi('/auth/two-factor')

/** Shown to users without a second factor if their unit requires one. */
export function TwoFactorPage() {
  const { words } = useWords()
  const navigate = useNavigate()
  const { redirect = home } = route.useSearch()
  return (
    <SheetPage title={words('account.two_factor.title')}>
      <p className="text-quiet">{words('account.two_factor.wanted')}</p>
      <SetUpTwoFactor onDone={() => void navigate({ href: safeRedirect(redirect, window.location.origin), replace: true })} />
      <button
        type="button"
        onClick={signOut}
        className="inline-flex min-h-(--control) items-center justify-self-center text-sm text-quiet underline underline-offset-4"
      >
        {words('session.sign_out')}
      </button>
    </SheetPage>
  )
}
