import { RouterProvider } from '@tanstack/react-router'
import { lazy, type ReactNode, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import './kit/ui/theme.css'
import { watchConnection } from './kit/connection.ts'
import { setRouter } from './kit/go.ts'
import { showAppearance } from './kit/ui/appearance.ts'
import { followOtherTabs } from './kit/stores.ts'
import { WordsProvider } from './kit/words.tsx'
import { openRouter } from './routes.tsx'
import { useSession } from './session/session.ts'
import { forgetSession, showLeaving, useLeaving } from './session/sign-out.ts'
import { loadRouteRules, reloadWhenPartsAreGone } from './shell/new-build.ts'

const router = openRouter()

showAppearance()
watchConnection()
setRouter(router)
reloadWhenPartsAreGone()
// Signed out in one tab is signed out in all: what stands here is of a session that has ended.
followOtherTabs(place => {
  if (place !== 'portolan.session') return
  if (!useSession.getState().user) forgetSession()
  else if (!showLeaving()) window.location.assign('/')
})
// The tab that was to end it may have been closed before it did.
window.addEventListener('focus', () => useSession.getState().user && showLeaving())
void loadRouteRules()

/** Comes with what every page of the signed-in is made of: it must be there when nothing can be loaded. */
const Leaving = lazy(() => import('./session/not-left.tsx').then(({ Leaving }) => ({ default: Leaving })))

/** Every page stands behind this. */
function UnlessLeaving({ children }: { children: ReactNode }) {
  const leaving = useLeaving(({ since }) => since !== undefined)
  return leaving ? (
    <Suspense>
      <Leaving />
    </Suspense>
  ) : (
    children
  )
}

const place = document.getElementById('portal')
if (place)
  createRoot(place).render(
    <StrictMode>
      <WordsProvider>
        <UnlessLeaving>
          <RouterProvider router={router} />
        </UnlessLeaving>
      </WordsProvider>
    </StrictMode>,
  )
