import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useUnit } from '#portal/business-unit/settings.ts'
import { useConnection } from '#portal/kit/connection.ts'
import { ErrorBoundary } from '#portal/kit/errors/error-boundary.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Drawer } from '#portal/kit/overlay/dialog.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Notices } from '#portal/kit/overlay/notice-host.tsx'
import { queries } from '#portal/kit/queries.ts'
import { useWords } from '#portal/kit/words.tsx'
import { checkSession } from '#portal/session/session.ts'
import { useKeys } from './keys.ts'
import { fetchJson, thisBuild } from './new-build.ts'
import { Sidebar, useSidebar } from './sidebar.tsx'
import { SignInAgain } from './sign-in-again.tsx'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(() => loadPalette().then(({ Palette }) => ({ default: Palette })))
const KeysHelp = lazy(() => import('./keys-help.tsx').then(({ KeysHelp }) => ({ default: KeysHelp })))

/** The frame around every page of the signed-in. */
export function Shell() {
  const { words } = useWords()
  const folded = useSidebar(({ folded }) => folded)
  const [open, setOpen] = useState<'palette' | 'keys' | 'menu'>()
  const [early, setEarly] = useState('')
  const close = () => setOpen(undefined)
  function search() {
    setEarly('')
    setOpen('palette')
  }
  useKeys({ palette: search, nearPalette: () => void loadPalette(), help: () => setOpen('keys') })
  useNewBuild()
  const main = useFocusOnPage()
  return (
    <QueryClientProvider client={queries}>
      <a
        href="#main"
        className="sr-only z-40 rounded-md bg-raised px-4 py-2 shadow-raised focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {words('shell.skip')}
      </a>
      <div
        className={`min-h-dvh md:grid ${folded ? 'md:grid-cols-[3.75rem_minmax(0,1fr)]' : 'md:grid-cols-[3.75rem_minmax(0,1fr)] lg:grid-cols-[15rem_minmax(0,1fr)]'}`}
      >
        <aside className="sticky top-0 hidden h-dvh flex-col border-r border-line bg-page p-3 md:flex">
          <ErrorBoundary>
            <Sidebar onSearch={search} />
          </ErrorBoundary>
        </aside>
        <TopBar onMenu={() => setOpen('menu')} onSearch={search} />
        <main id="main" ref={main} tabIndex={-1} className="min-w-0 outline-none">
          <Offline />
          <Outlet />
        </main>
      </div>
      <Drawer open={open === 'menu'} onClose={close} title={words('shell.menu.label')}>
        <MenuDrawer onSearch={search} onLeave={close} />
      </Drawer>
      {open === 'palette' && (
        <Suspense fallback={<TypedEarly onLetter={letter => setEarly(before => before + letter)} />}>
          <Palette begun={early} onClose={close} />
        </Suspense>
      )}
      <Suspense>{open === 'keys' && <KeysHelp onClose={close} />}</Suspense>
      <SignInAgain />
      <Notices />
    </QueryClientProvider>
  )
}

/** What is typed after Ctrl+K is not lost while the palette is on its way. */
function TypedEarly({ onLetter }: { onLetter: (letter: string) => void }) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey) return
    onLetter(event.key)
    event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  return null
}

/** On a phone: whose portal this is, and the way to menu and search. */
function TopBar({ onMenu, onSearch }: { onMenu: () => void; onSearch: () => void }) {
  const { words } = useWords()
  const { logo, brandName } = useUnit()
  return (
    <header className="sticky top-0 z-20 flex min-h-14 items-center gap-2 border-b border-line bg-page px-3 md:hidden">
      <IconButton icon="menu" label={words('shell.menu.label')} onClick={onMenu} />
      <img src={logo} alt="" width={28} height={28} className="size-7 object-contain" />
      <p className="min-w-0 flex-1 truncate font-semibold">{brandName}</p>
      <IconButton icon="search" label={words('shell.search')} onClick={onSearch} />
    </header>
  )
}

/** Leads away with the page that it led to. */
function MenuDrawer({ onSearch, onLeave }: { onSearch: () => void; onLeave: () => void }) {
  const { href } = useLocation()
  const first = useRef(href)
  useEffect(() => {
    if (href !== first.current) onLeave()
  }, [href, onLeave])
  return <Sidebar onSearch={onSearch} inDrawer />
}

/** Quietly, above the page as it stands. Whoever types on need not look: it is asked for now and then, and what failed meanwhile once more. */
function Offline() {
  const { words } = useWords()
  const { online, away } = useConnection()
  const isThere = online && !away
  useEffect(() => {
    if (isThere) return
    const timer = setInterval(() => navigator.onLine && void checkSession().then(askAgain, () => undefined), lookAgainMs)
    return () => clearInterval(timer)
  }, [isThere])
  return (
    <div role="status" className="empty:hidden">
      {!isThere && (
        <p className="flex items-center gap-2 border-b border-line bg-warning-soft px-4 py-2 text-warning sm:px-6 lg:px-8">
          <Icon name="alert-triangle" /> {words(online ? 'shell.maintenance' : 'shell.no_connection')}
        </p>
      )}
    </div>
  )
}

const lookAgainMs = 5000

const askAgain = () => queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' })

/** Another page is told to those who hear it: the focus goes to its beginning, but not at the very first. */
function useFocusOnPage() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}

const pollMs = 5 * 60_000
let known = thisBuild()

/** A newer portal is offered, quietly and once: every five minutes and whenever the page is looked at again. */
function useNewBuild(): void {
  const { words } = useWords()
  const look = useEffectEvent(async () => {
    const latest = await fetchJson<{ id: string }>('/builds/latest.json')
    if (!latest || !known || latest.id === known) return
    known = latest.id
    showToast({
      summary: words('shell.new_build'),
      life: 0,
      action: { label: words('shell.reload'), run: () => window.location.reload() },
    })
  })
  useEffect(() => {
    const focused = () => void look()
    const timer = setInterval(focused, pollMs)
    window.addEventListener('focus', focused)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', focused)
    }
  }, [])
}
