import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { type Locale, locales } from '#common/kit/locales.ts'
import { chooseLanguage, languageNames } from '#portal/kit/language.ts'
import { logOnly } from '#portal/kit/log.ts'
import { Menu, type MenuItem } from '#portal/kit/overlay/menu.tsx'
import { useAppearance } from '#portal/kit/ui/appearance.ts'
import { localeNow, useWords } from '#portal/kit/words.tsx'
import { currentUnitOf, useSession, useUser } from '#portal/session/session.ts'
import { needsTwoFactor } from '../start.ts'

/** The attributes of the button, which the open menu takes over. */
export type Trigger = {
  ref?: Ref<HTMLButtonElement>
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  'aria-controls'?: string | undefined
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}
type OpenMenuProps = { children: (trigger: Trigger) => ReactNode }

/** The open menu with the user's profile, language, theme and density. */
export function OpenUserMenu(props: OpenMenuProps) {
  const { words } = useWords()
  const navigate = useNavigate()
  const profile: MenuItem = {
    label: words('shell.my_profile'),
    icon: 'user',
    onSelect: () => void navigate({ to: '/account', search: { tab: 'me' } }),
  }
  const items = [profile, ...useLanguageItems(), ...useAppearanceItems()]
  return <Menu label={words('shell.preferences')} items={items} align="start" startsOpen {...props} />
}

/** The open menu in which a user of several agencies chooses the current one. */
export function OpenUnitMenu(props: OpenMenuProps) {
  const { words } = useWords()
  const navigate = useNavigate()
  const user = useUser()
  const current = useSession(state => currentUnitOf(state)?.uuid)
  const changeTo = async (uuid: string) => {
    try {
      const { changeUnit } = await import('../user-choices.ts')
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
  return <Menu label={words('shell.units')} items={items} align="start" startsOpen {...props} />
}

function useLanguageItems(): MenuItem[] {
  const { locale } = useWords()
  const choose = async (locale: Locale) => {
    await chooseLanguage(locale)
    if (localeNow() !== locale) return
    await import('../user-choices.ts').then(({ reloadNames }) => reloadNames(), logOnly('loading settings'))
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
