import { Link } from '@tanstack/react-router'
import { menuFor, showsFunnel, type ShownEntry } from '#common/shell/menu.ts'
import { useSettings } from '#portal/business-unit/settings.ts'
import { openStore } from '#portal/kit/stores.ts'
import { useSaleEntry } from '#portal/funnel/store.ts'
import { shortcut, shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { buttonLook } from '#portal/kit/ui/button.tsx'
import { Icon, type IconName } from '#portal/kit/ui/icon.tsx'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { signOut } from '#portal/session/open.ts'
import { currentUnitOf, useSession } from '#portal/session/session.ts'
import { useUnread } from '#portal/tickets/use-unread.ts'
import { UnitSwitcher, UserMenu } from './user-menu.tsx'

export const useSidebar = openStore<{ folded: boolean }>('sidebar', { folded: false })

/** The brand, a button for a new sale, and the menu. Below 80 rem it shows only icons; on a phone it is in a drawer. */
export function Sidebar({ onSearch, inDrawer = false }: { onSearch: () => void; inDrawer?: boolean }) {
  const { words } = useWords()
  const isFoldedByUser = useSidebar(({ folded }) => folded)
  const folded = isFoldedByUser && !inDrawer
  const text = inDrawer ? '' : folded ? 'sr-only' : 'max-xl:sr-only'
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <Brand text={text} />
      <NewSale text={text} />
      <button type="button" onClick={onSearch} className={`${buttonLook('quiet', 'px-2')} justify-start!`} title={words('shell.search')}>
        <Icon name="search" className="size-4 text-quiet" />
        <span className={`min-w-0 flex-1 truncate text-left font-normal text-quiet ${text}`}>{words('shell.search')}</span>
        {!inDrawer && <Keys keys={shortcuts.palette} className={`text-faint ${text}`} />}
      </button>
      <Menu text={text} />
      <UserMenu text={text} />
      {!inDrawer && (
        <IconButton
          icon={folded ? 'chevron-right' : 'chevron-left'}
          label={words(folded ? 'shell.unfold' : 'shell.fold')}
          aria-expanded={!folded}
          onClick={() => useSidebar.setState({ folded: !folded })}
          className="self-end max-xl:hidden"
        />
      )}
    </div>
  )
}

function Brand({ text }: { text: string }) {
  const { logo, brandName } = useBrand()
  const several = useSession(({ user }) => (user?.businessUnits.length ?? 0) > 1)
  const brand = (
    <>
      <img src={logo} alt="" width={24} height={24} className="size-6 shrink-0 object-contain" />
      <span className={`min-w-0 flex-1 truncate text-left font-semibold ${text}`}>{brandName}</span>
    </>
  )
  if (several) return <UnitSwitcher text={text}>{brand}</UnitSwitcher>
  return <p className="flex min-h-9 items-center gap-2.5 px-1.5">{brand}</p>
}

function NewSale({ text }: { text: string }) {
  const { words } = useWords()
  const { to, search, label, icon, isPastTrip } = useSaleEntry()
  if (!useSession(state => showsFunnel(currentUnitOf(state)?.permissions ?? []))) return null
  return (
    <Link
      {...(isPastTrip ? shortcut('sale') : {})}
      to={to}
      search={search}
      className={`${buttonLook('quiet', 'px-2')} justify-start!`}
      title={words(label)}
    >
      <Icon name={icon} className="size-4 text-accent-ink" />
      <span className={text}>{words(label)}</span>
    </Link>
  )
}

function Menu({ text }: { text: string }) {
  const { words } = useWords()
  const permissions = useSession(state => currentUnitOf(state)?.permissions)
  const unread = useUnread()
  return (
    <nav aria-label={words('shell.menu.label')} className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1">
      <ul className="grid gap-0.5">
        {menuFor(permissions ?? []).map(item =>
          'entries' in item ? (
            <li key={item.label} className="mt-3 grid gap-0.5 first:mt-0">
              <p className={`px-2 pb-1 text-xs text-faint ${text}`}>{words(item.label)}</p>
              <ul className="grid gap-0.5">
                {item.entries.map(entry => (
                  <li key={entry.to}>
                    <Entry entry={entry} text={text} unread={unread[entry.to]} />
                  </li>
                ))}
              </ul>
            </li>
          ) : (
            <li key={item.to} className="not-first:mt-3">
              <Entry entry={item} text={text} />
            </li>
          ),
        )}
        <li className="mt-3">
          <button type="button" onClick={signOut} className={`${entryClass} w-full`} title={words('session.sign_out')}>
            <Icon name="log-out" className="size-4" />
            <span className={text}>{words('session.sign_out')}</span>
          </button>
        </li>
      </ul>
    </nav>
  )
}

function Entry({ entry: { to, label, icon }, text, unread = 0 }: { entry: ShownEntry; text: string; unread?: number | undefined }) {
  const { words } = useWords()
  return (
    <Link to={to} activeOptions={{ exact: true, includeSearch: false }} className={`${entryClass} ${currentClass}`} title={words(label)}>
      <span className="relative">
        <Icon name={icon satisfies IconName} className="size-4" />
        {unread > 0 && <span className={`absolute -top-1 -right-1 size-2 rounded-full bg-accent-ink ${dotWithout(text)}`} />}
      </span>
      <span className={`flex-1 truncate ${text}`}>{words(label)}</span>
      {unread > 0 && (
        <span className={`text-sm font-semibold text-accent-ink ${text}`}>
          <span aria-hidden="true">{unread}</span>
          <span className="sr-only">{words('shell.unread', { count: unread })}</span>
        </span>
      )}
    </Link>
  )
}

/** The dot replaces the number where the menu shows only icons. */
const dotWithout = (text: string): string => (text === '' ? 'hidden' : text === 'sr-only' ? '' : 'xl:hidden')

const entryClass =
  'flex min-h-8 items-center gap-2.5 rounded-md px-2 text-left pointer-coarse:min-h-11 text-quiet transition-colors duration-100 hover:bg-sunken hover:text-ink'
const currentClass =
  'aria-[current=page]:bg-ink/6 aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:[&_svg]:text-accent-ink'

/** Returns the current unit's name and logo. While its settings are missing, its plain name and the portal's logo. */
export function useBrand(): { logo: string; brandName: string } {
  const settings = useSettings(({ settings }) => settings)
  const name = useSession(state => currentUnitOf(state)?.name)
  return settings ?? { logo: '/favicon.svg', brandName: name ?? '' }
}
