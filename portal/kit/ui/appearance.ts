import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { accentColours } from './accent.ts'

export type Theme = 'system' | 'light' | 'dark'
export type Density = 'comfortable' | 'compact'

type Appearance = { theme: Theme; density: Density }

/** How this person likes the portal to look: a wish for this browser, not for one session. */
export const useAppearance = create<Appearance & { prefer: (wish: Partial<Appearance>) => void }>()(
  persist(set => ({ theme: 'system', density: 'comfortable', prefer: wish => set(wish) }), {
    name: 'portolan.appearance',
    partialize: ({ theme, density }) => ({ theme, density }),
  }),
)

/** Puts the wish on the page, now and whenever it changes here or in another tab. Called once, before anything is shown. */
export function showAppearance(): void {
  show(useAppearance.getState())
  useAppearance.subscribe(show)
  window.addEventListener('storage', event => {
    if (event.key === useAppearance.persist.getOptions().name) void useAppearance.persist.rehydrate()
  })
}

function show({ theme, density }: Appearance): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  dataset['density'] = density
}

/** The business unit's colour (its settings), for all that follows. Set through the style object: the page's policy forbids style texts. */
export function showAccent(accent: string): void {
  const { style } = document.documentElement
  const colours = accentColours(accent)
  style.setProperty('--accent', colours.accent)
  style.setProperty('--on-accent', colours.onAccent)
  style.setProperty('--accent-ink-light', colours.inkLight)
  style.setProperty('--accent-ink-dark', colours.inkDark)
}
