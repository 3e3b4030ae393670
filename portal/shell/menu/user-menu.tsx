import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useUser } from '#portal/session/session.ts'
import type { Trigger } from './open-menus.tsx'

const load = () => import('./open-menus.tsx')
const OpenUserMenu = lazy(() => load().then(({ OpenUserMenu }) => ({ default: OpenUserMenu })))
const OpenUnitMenu = lazy(() => load().then(({ OpenUnitMenu }) => ({ default: OpenUnitMenu })))

/** A button whose menu is loaded when it is pressed, so that the first page does not wait for it. */
function LateMenu({ menu: OpenMenu, children }: { menu: typeof OpenUserMenu; children: (trigger: Trigger) => ReactNode }) {
  const [isWanted, setIsWanted] = useState(false)
  const want = () => setIsWanted(true)
  const closed = children({
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: want,
    onKeyDown: ({ key }) => key.startsWith('Arrow') && want(),
  })
  return <Suspense fallback={closed}>{isWanted ? <OpenMenu>{children}</OpenMenu> : closed}</Suspense>
}

/** The button of the menu with the user's profile, language, theme and density. */
export function UserMenu({ text }: { text: string }) {
  const { words } = useWords()
  const user = useUser()
  return (
    <LateMenu menu={OpenUserMenu}>
      {trigger => (
        <button
          {...trigger}
          type="button"
          title={words('shell.preferences')}
          className="-mx-0.5 flex min-h-11 items-center gap-2.5 rounded-md px-1 text-left hover:bg-sunken"
        >
          <span
            aria-hidden="true"
            className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent-ink"
          >
            {initials(user.name)}
          </span>
          <span className={`grid min-w-0 flex-1 ${text}`}>
            <span className="truncate font-medium">{user.name}</span>
            <span className="truncate text-xs text-quiet">{user.email}</span>
          </span>
          <span className={text.includes('sr-only') ? 'sr-only' : ''}>
            <Icon name="settings" className="size-4 text-quiet" />
          </span>
        </button>
      )}
    </LateMenu>
  )
}

/** The button of the menu in which a user of several agencies chooses the current one. */
export function UnitSwitcher({ text, children }: { text: string; children: ReactNode }) {
  const { words } = useWords()
  return (
    <LateMenu menu={OpenUnitMenu}>
      {trigger => (
        <button
          {...trigger}
          type="button"
          title={words('shell.units')}
          className="flex min-h-11 items-center gap-2.5 rounded-md px-0.5 hover:bg-sunken"
        >
          {children}
          <span className={text}>
            <Icon name="sort" className="size-4 text-quiet" />
          </span>
        </button>
      )}
    </LateMenu>
  )
}

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map(word => word[0]?.toUpperCase() ?? '')
    .join('')
