import { type KeyboardEvent, type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { locales } from '#common/kit/locales.ts'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { languageNames } from '#portal/kit/language.ts'
import { logOnly } from '#portal/kit/log.ts'
import { Menu, type MenuItem } from '#portal/kit/overlay/menu.tsx'
import { useAppearance } from '#portal/kit/ui/appearance.ts'
import { Callout } from '#portal/kit/ui/card.tsx'
import { floatingLook, useDismiss, useFloating } from '#portal/kit/ui/floating.ts'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { currentUnitOf, useSession, useUser } from '#portal/session/session.ts'
import { changeLanguage, themes } from '../preferences.ts'
import { needsTwoFactor } from '../sign-in/needed.ts'

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
export function OpenUnitMenu({ children }: OpenMenuProps) {
  const { words } = useWords()
  const navigate = useNavigate()
  const user = useUser()
  const current = useSession(state => currentUnitOf(state)?.uuid)
  const [failure, setFailure] = useState<{ name: string; error: unknown }>()
  // The messages of a failed change, which could not be loaded then.
  useEffect(() => void loadMessages('lost'), [])
  const changeTo = async (uuid: string, name: string) => {
    try {
      const { changeUnit } = await import('../user-choices.ts')
      await changeUnit(uuid)
      await navigate({ to: '/products' })
    } catch (error) {
      if (needsTwoFactor(error)) return navigate({ to: '/auth/two-factor', search: {} })
      logOnly('changing the agency')(error)
      setFailure({ name, error })
    }
  }
  const items = user.businessUnits.map(
    ({ uuid, name }): MenuItem => ({
      label: name,
      icon: 'building',
      checked: uuid === current,
      onSelect: () => {
        if (uuid !== current) void changeTo(uuid, name)
      },
    }),
  )
  return (
    <Menu label={words('shell.units')} items={items} align="start" startsOpen>
      {trigger => (
        <>
          {children({
            ...trigger,
            onClick() {
              setFailure(undefined)
              trigger.onClick()
            },
          })}
          {failure && (
            <FailureAt anchor={trigger.ref} onClose={() => setFailure(undefined)}>
              {`${words('lost.unit_failed', { name: failure.name })} ${errorMessage(failure.error, words)}`}
            </FailureAt>
          )}
        </>
      )}
    </Menu>
  )
}

/** A failure beside the button of its menu, which may be only an icon. A click elsewhere or Escape closes it. */
function FailureAt({ anchor, onClose, children }: { anchor: RefObject<HTMLElement | null>; onClose: () => void; children: string }) {
  const box = useRef<HTMLDivElement>(null)
  useFloating(true, anchor, box)
  useDismiss(true, [anchor, box], onClose)
  return (
    <div ref={box} popover="manual" role="alert" className={`${floatingLook} w-80`}>
      <Callout tone="danger">{children}</Callout>
    </div>
  )
}

function useLanguageItems(): MenuItem[] {
  const { locale } = useWords()
  return locales.map((each, index) => ({
    label: languageNames[each],
    apart: index === 0,
    checked: each === locale,
    onSelect: () => void changeLanguage(each),
  }))
}

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
