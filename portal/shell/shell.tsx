import { QueryClientProvider } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { menuFor } from '#common/shell/menu.ts'
import type { RoutePath } from '#common/shell/routes.ts'
import { useSettings } from '#portal/business-unit/settings.ts'
import { lineHash } from '#portal/funnel/store.ts'
import { isAvailable, useConnection } from '#portal/kit/connection.ts'
import { ErrorBoundary } from '#portal/kit/errors/error-boundary.tsx'
import { isFree, keysOf, pressShortcut, shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { useAppearance } from '#portal/kit/ui/appearance.ts'
import { addIcons, Icon } from '#portal/kit/ui/icon.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { moreIcons } from '#portal/kit/ui/more-icons.ts'
import { toggleCommission } from '#portal/kit/page/commission.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { loadToast, Notices } from '#portal/kit/overlay/notice-host.tsx'
import { logOnly } from '#portal/kit/log.ts'
import { queries } from '#portal/kit/queries.ts'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { currentUnitOf, useMay, useSession } from '#portal/session/session.ts'
import { SignInAgain } from '#portal/session/sign-in-again.tsx'
import './places.css'
import { useLeave } from './sign-in/leave.ts'
import { findNewBuild } from './build/new-build.ts'
import { checkConnection } from './reconnect.ts'
import { Sidebar, useBrand, useSidebar } from './menu/sidebar.tsx'

addIcons(moreIcons)

const loadMenu = () => import('./menu/menu-drawer.tsx')
const MenuDrawer = lazy(() => loadMenu().then(({ MenuDrawer }) => ({ default: MenuDrawer })))
const loadPalette = () => Promise.all([import('./palette/palette.tsx'), loadMessages('keys')])
const Palette = lazy(() => loadPalette().then(([{ Palette }]) => ({ default: Palette })))
const UnitReload = lazy(() => import('./unit/unit-reload.tsx').then(({ UnitReload }) => ({ default: UnitReload })))
const KeysHelp = lazy(async () => {
  const [{ KeysHelp }] = await Promise.all([import('./keys-help.tsx'), loadMessages('keys')])
  return { default: KeysHelp }
})

/** The frame around every page behind the sign-in: menu, notices and dialogs of the whole portal. */
export function Shell() {
  const { words } = useWords()
  const folded = useSidebar(({ folded }) => folded)
  const [open, setOpen] = useState<'palette' | 'keys' | 'menu'>()
  const [firstText, setFirstText] = useState('')
  const close = () => setOpen(undefined)
  function search() {
    setFirstText('')
    setOpen('palette')
  }
  const navigate = useNavigate()
  const [access, sells] = [useMay('b2b-access'), useMay('b2b-products-sell')]
  useKeys({
    palette: search,
    nearPalette: () => void loadPalette(),
    help: () => setOpen('keys'),
    sale: () => access && sells && void navigate({ to: '/products', hash: lineHash }),
    commission: () => toggleCommission() && void import('./keys-help.tsx').then(({ sayHidden }) => sayHidden()),
  })
  useNewBuild()
  const isOutdated = useSettings(({ isOutdated }) => isOutdated)
  const isMissing = useSettings(({ settings }) => !settings) && isOutdated
  useLaterParts()
  const leave = useLeave()
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
        className={`min-h-dvh md:grid ${folded ? 'md:grid-cols-[3.5rem_minmax(0,1fr)]' : 'md:grid-cols-[3.5rem_minmax(0,1fr)] xl:grid-cols-[13rem_minmax(0,1fr)]'}`}
      >
        <aside className="sticky top-0 hidden h-dvh flex-col border-r border-hair bg-page px-2.5 py-3.5 md:flex">
          <ErrorBoundary>
            <Sidebar onSearch={search} />
          </ErrorBoundary>
        </aside>
        <TopBar onMenu={() => setOpen('menu')} onSearch={search} />
        <main id="main" ref={main} tabIndex={-1} className="min-w-0 outline-none">
          <Offline />
          <Suspense>{isOutdated && <UnitReload />}</Suspense>
          {!isMissing && <Outlet />}
        </main>
        <Places onMenu={() => setOpen('menu')} />
      </div>
      <Suspense>{open === 'menu' && <MenuDrawer onSearch={search} onClose={close} />}</Suspense>
      {open === 'palette' && (
        <Suspense fallback={<EarlyTyping onLetter={letter => setFirstText(before => before + letter)} />}>
          <Palette firstText={firstText} onClose={close} />
        </Suspense>
      )}
      <Suspense>{open === 'keys' && <KeysHelp onClose={close} />}</Suspense>
      <SignInAgain leave={leave} />
      <Notices />
    </QueryClientProvider>
  )
}

/** Collects the letters that are typed after Ctrl+K while the palette is loading. */
function EarlyTyping({ onLetter }: { onLetter: (letter: string) => void }) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey) return
    onLetter(event.key)
    event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return null
}

/** The bar of a phone with the brand and the buttons for menu and search. */
function TopBar({ onMenu, onSearch }: { onMenu: () => void; onSearch: () => void }) {
  const { words } = useWords()
  const { logo, brandName } = useBrand()
  return (
    <header className="sticky top-0 z-20 flex min-h-12 items-center gap-2 border-b border-hair bg-page px-2 md:hidden">
      <IconButton icon="menu" label={words('shell.menu.label')} onClick={onMenu} />
      <img src={logo} alt="" width={28} height={28} className="size-7 object-contain" />
      <p className="min-w-0 flex-1 truncate font-semibold">{brandName}</p>
      <IconButton icon="search" label={words('shell.search')} onClick={onSearch} />
    </header>
  )
}

/** Shows that the service cannot be reached, or is slow to answer. Checks every 5 s if it is back. */
function Offline() {
  const { words } = useWords()
  const connection = useConnection()
  const isServed = isAvailable(connection)
  useEffect(() => {
    if (isServed) return
    const timer = setInterval(() => void checkConnection(), checkMs)
    return () => clearInterval(timer)
  }, [isServed])
  return (
    <div role="status" className="empty:hidden">
      {(!isServed || connection.slow > 0) && (
        <p className="flex items-center gap-2 border-b border-line bg-warning-soft px-4 py-2 text-warning sm:px-6 lg:px-8">
          <Icon name="alert-triangle" /> {words(isServed ? 'ui.slow' : connection.online ? 'shell.maintenance' : 'shell.no_connection')}
        </p>
      )}
    </div>
  )
}

const checkMs = 5000

/**
 * Moves the focus to each new page, so that screen readers announce it. The page that a visit begins with does not take it, unless the sign-in came
 * before.
 */
function useFocusOnPage() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const last = useRef(useRouter().state.resolvedLocation?.pathname ?? pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}

/**
 * Loads the parts that are not needed before the first key or press: the guard of typed text, the phone’s menu, toasts and others. It stops waiting for
 * neither, as these do no harm on other pages.
 */
function useLaterParts(): void {
  useEffect(() => {
    function load() {
      loadToast()
      Promise.all([import('./later-parts.ts'), loadMenu()]).catch(logOnly('loading the menu'))
    }
    for (const event of ['keydown', 'pointerdown']) window.addEventListener(event, load, { once: true })
  }, [])
}

const pollMs = 5 * 60_000

/** Checks for a new build every five minutes and on focus, and offers each new one once in a toast. */
function useNewBuild(): void {
  const { words } = useWords()
  const check = useEffectEvent(async () => {
    if (await findNewBuild())
      showToast({
        summary: words('shell.new_build'),
        life: 0,
        action: { label: words('shell.reload'), run: () => window.location.reload() },
      })
  })
  useEffect(() => {
    const run = () => void check()
    const timer = setInterval(run, pollMs)
    window.addEventListener('focus', run)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', run)
    }
  }, [])
}

type Keys = {
  palette: () => void
  /** Runs when Control or Meta is pressed, as K may follow. */
  nearPalette: () => void
  help: () => void
  /** Runs if the page has no control for a new sale. */
  sale: () => void
  commission: () => void
}

/** Handles the shortcuts of all pages. They do nothing while a dialog is open. */
function useKeys({ palette, nearPalette, help, sale, commission }: Keys): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Control' || event.key === 'Meta') nearPalette()
    const keys = keysOf(event)
    if (!keys || !isFree(event, keys) || (keys.length === 1 && !useAppearance.getState().letterKeys)) return
    if (keys === shortcuts.commission) {
      // Works even in a window, as the client may be looking at it.
      event.preventDefault()
      commission()
    } else if (document.querySelector('dialog:modal')) {
      // These keys open the browser's own search.
      if (keys === shortcuts.palette) event.preventDefault()
    } else if (!pressShortcut(event, keys)) {
      // A page without its own search is searched by the palette.
      const run = { [shortcuts.palette]: palette, [shortcuts.search]: palette, [shortcuts.help]: help, [shortcuts.sale]: sale }[keys]
      if (run) event.preventDefault()
      run?.()
    }
  })
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** The most used pages, in order. The first four that the user may open are in the bar. */
const places: readonly RoutePath[] = ['/products', '/policies', '/policies/saved', '/earnings', '/claim', '/account', '/administration']

/** The bar at the bottom of a phone: the main pages, and the menu with all others. */
function Places({ onMenu }: { onMenu: () => void }) {
  const { words } = useWords()
  const permissions = useSession(state => currentUnitOf(state)?.permissions)
  const entries = menuFor(permissions ?? []).flatMap(item => ('to' in item ? item : item.entries))
  return (
    <nav className="places" aria-label={words('shell.places')}>
      {places
        .flatMap(place => entries.filter(({ to }) => to === place))
        .slice(0, 4)
        .map(({ to, label, icon }) => (
          <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
            <Icon name={icon} className="size-5" />
            {words(label)}
          </Link>
        ))}
      <button type="button" onClick={onMenu}>
        <Icon name="more" className="size-5" />
        {words('shell.more')}
      </button>
    </nav>
  )
}
