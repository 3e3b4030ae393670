import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Locale, locales } from '#common/kit/locales.ts'
import { chooseLanguage } from '#portal/kit/language.ts'
import { logOnly } from '#portal/kit/log.ts'
import { Menu, type MenuItem } from '#portal/kit/overlay/menu.tsx'
import { useAppearance } from '#portal/kit/ui/appearance.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { localeNow, useWords } from '#portal/kit/words.tsx'
import { currentUnitOf, useSession, useUser } from '#portal/session/session.ts'
import { languageNames } from '#portal/kit/language.ts'
import { needsTwoFactor } from './start.ts'

/** The menu with the user's profile, language, theme and density. */
export function UserMenu({ text }: { text: string }) {
  const { words } = useWords()
  const user = useUser()
  const navigate = useNavigate()
  const profile: MenuItem = {
    label: words('shell.my_profile'),
    icon: 'user',
    onSelect: () => void navigate({ to: '/account', search: { tab: 'me' } }),
  }
  const items = [profile, ...useLanguageItems(), ...useAppearanceItems()]
  return (
    <Menu label={words('shell.preferences')} items={items} align="start">
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
    </Menu>
  )
}

/** The menu in which a user of several agencies chooses the current one. */
export function UnitSwitcher({ text, children }: { text: string; children: ReactNode }) {
  const { words } = useWords()
  const navigate = useNavigate()
  const user = useUser()
  const current = useSession(state => currentUnitOf(state)?.uuid)
  const changeTo = async (uuid: string) => {
    try {
      const { changeUnit } = await import('./user-choices.ts')
      await changeUnit(uuid)
      await navigate({ to: '/products' })
    } catch (error) {
      if (!needsTwoFactor(error)) throw error
      await navigate({ to: '/auth/two-factor', search: {} })
    }
  }
  const items = user.businessUnits.map(
    ({ uuid, name }): MenuItem => ({
      label: name,
      icon: 'building',
      checked: uuid === current,
      onSelect: () => {
        if (uuid !== current) void changeTo(uuid)
      },
    }),
  )
  return (
    <Menu label={words('shell.units')} items={items} align="start">
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
    </Menu>
  )
}

function useLanguageItems(): MenuItem[] {
  const { locale } = useWords()
  const choose = async (locale: Locale) => {
    await chooseLanguage(locale)
    if (localeNow() !== locale) return
    await import('./user-choices.ts').then(({ reloadNames }) => reloadNames(), logOnly('loading settings'))
  }
  return locales.map((each, index) => ({
    label: languageNames[each],
    apart: index === 0,
    checked: each === locale,
    onSelect: () => void choose(each),
  }))
}

const themes = [
  ['system', 'settings', 'shell.theme.system'],
  ['light', 'sun', 'shell.theme.light'],
  ['dark', 'moon', 'shell.theme.dark'],
] as const
const densities = [
  ['comfortable', 'list', 'shell.density.comfortable'],
  ['compact', 'rows', 'shell.density.compact'],
] as const

function useAppearanceItems(): MenuItem[] {
  const { words } = useWords()
  const { theme, density, prefer } = useAppearance()
  return [
    ...themes.map(([value, icon, label], index) => ({
      label: words(label),
      icon,
      apart: index === 0,
      checked: value === theme,
      onSelect: () => prefer({ theme: value }),
    })),
    ...densities.map(([value, icon, label], index) => ({
      label: words(label),
      icon,
      apart: index === 0,
      checked: value === density,
      onSelect: () => prefer({ density: value }),
    })),
  ]
}

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map(word => word[0]?.toUpperCase() ?? '')
    .join('')
