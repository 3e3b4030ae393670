import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './kit/ui/theme.css'
import { watchConnection } from './kit/connection.ts'
import { goBy } from './kit/go.ts'
import { showAppearance } from './kit/ui/appearance.ts'
import { followOtherTabs } from './kit/stores.ts'
import { WordsProvider } from './kit/words.tsx'
import { openRouter } from './routes.tsx'
import { useSession } from './session/session.ts'
import { UnlessLeaving } from './session/not-left.tsx'
import { forgetSession, showLeaving } from './session/sign-out.ts'
import { loadRouteRules, reloadWhenPartsAreGone } from './shell/new-build.ts'

const router = openRouter()

showAppearance()
watchConnection()
goBy(router)
reloadWhenPartsAreGone()
// Signed out in one tab is signed out in all: what stands here is of a session that has ended.
followOtherTabs(place => {
  if (place !== 'portolan.session' || showLeaving()) return
  if (useSession.getState().user) window.location.assign('/')
  else forgetSession()
})
void loadRouteRules()

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
