import { RouterProvider } from '@tanstack/react-router'
import { lazy, type ReactNode, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import './style/theme.css'
import { watchConnection } from './kit/connection.ts'
import { setRouter } from './kit/go.ts'
import { showAppearance } from './kit/ui/appearance.ts'
import { followOtherTabs } from './kit/stores.ts'
import { loadFirstLanguage, WordsProvider } from './kit/words.tsx'
import { openRouter } from './routes.tsx'
import { useSession } from './session/session.ts'
import { forgetSession, showSigningOut, useSigningOut } from './session/sign-out.ts'
import { loadRouteRules, reloadWhenChunksAreGone } from './shell/build/new-build.ts'

void loadFirstLanguage()
export const router = openRouter()

showAppearance()
watchConnection()
setRouter(router)
reloadWhenChunksAreGone()
// Signing out in one tab signs out all tabs, as this page's session has then ended.
followOtherTabs(key => {
  if (key !== 'portolan.session') return
  if (!useSession.getState().user) forgetSession()
  else if (!showSigningOut()) window.location.assign('/')
})
// The tab that was ending the session may have been closed before it succeeded.
window.addEventListener('focus', () => useSession.getState().user && showSigningOut())
void loadRouteRules()

/** Part of the chunk shared by all pages behind the sign-in, as it must work when nothing can be loaded. */
const SigningOut = lazy(() => import('./session/signing-out.tsx').then(({ SigningOut }) => ({ default: SigningOut })))

/** Shows the pages, unless the user is signing out. */
function UnlessSigningOut({ children }: { children: ReactNode }) {
  const leaving = useSigningOut(({ since }) => since !== undefined)
  return leaving ? (
    <Suspense>
      <SigningOut />
    </Suspense>
  ) : (
    children
  )
}

const element = document.getElementById('portal')
export const root = element && createRoot(element)
root?.render(
  <StrictMode>
    <WordsProvider>
      <UnlessSigningOut>
        <RouterProvider router={router} />
      </UnlessSigningOut>
    </WordsProvider>
  </StrictMode>,
)
