import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Locale, locales } from '#common/kit/locales.ts'
import { chooseLanguage } from '#portal/kit/language.ts'
import { clearNotices } from '#portal/kit/overlay/notices.ts'
import { resetStores } from '#portal/kit/stores.ts'
import { logOnly } from '#portal/kit/log.ts'
import { ask } from '#portal/kit/ask.ts'
import { payloadOf } from '#common/shell/calls.ts'
import { home } from '#common/session/redirect.ts'
import { useSettings } from '#portal/business-unit/settings.ts'
import { Menu, type MenuItem } from '#portal/kit/overlay/menu.tsx'
import { useAppearance } from '#portal/kit/ui/appearance.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { localeNow, useWords } from '#portal/kit/words.tsx'
import { holdSession, unitOf, useSession, useUser } from '#portal/session/session.ts'
import { languageNames } from '#portal/kit/language.ts'
import { needsTwoFactor, openKept, take } from './start.ts'

/** The user, and how he wants the portal to be. */
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

/** The agencies of a user of several: everything shown belongs to the chosen one. */
export function UnitSwitcher({ text, children }: { text: string; children: ReactNode }) {
  const { words } = useWords()
  const navigate = useNavigate()
  const user = useUser()
  const current = useSession(state => unitOf(state)?.uuid)
  const changeTo = async (uuid: string) => {
    try {
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
  const speak = async (wanted: Locale) => {
    await chooseLanguage(wanted)
    if (localeNow() === wanted) await nameAgain()
  }
  return locales.map((each, place) => ({
    label: languageNames[each],
    apart: place === 0,
    checked: each === locale,
    onSelect: () => void speak(each),
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
    ...themes.map(([wish, icon, label], place) => ({
      label: words(label),
      icon,
      apart: place === 0,
      checked: wish === theme,
      onSelect: () => prefer({ theme: wish }),
    })),
    ...densities.map(([wish, icon, label], place) => ({
      label: words(label),
      icon,
      apart: place === 0,
      checked: wish === density,
      onSelect: () => prefer({ density: wish }),
    })),
  ]
}

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map(word => word[0]?.toUpperCase() ?? '')
    .join('')

let switches = 0

/** For another of the user's units: when what it shows is there, nothing of the former one stays. */
export async function changeUnit(unitUuid: string): Promise<void> {
  const { user } = useSession.getState()
  if (!user) return
  const wanted = ++switches
  const payload = await ask(payloadOf(home), {}, { unitToken: user.businessUnits.find(({ uuid }) => uuid === unitUuid)?.token })
  // Overtaken by another unit that was chosen, or by a sign-out.
  if (wanted !== switches || useSession.getState().user?.uuid !== user.uuid) return
  resetStores()
  clearNotices()
  holdSession(user, unitUuid)
  const opened = openKept()
  await take(payload)
  await opened
}

/** After the language changed: what the service names comes in the new one. What fails is only logged (spec 8). */
async function nameAgain(): Promise<void> {
  useSettings.setState({ isLoading: true })
  await ask(payloadOf(home), {})
    .then(take)
    .catch(logOnly('loading settings'))
    .finally(() => useSettings.setState({ isLoading: false }))
}
