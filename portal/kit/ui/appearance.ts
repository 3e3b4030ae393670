import { create } from 'zustand'

type Theme = 'system' | 'light' | 'dark'
type Density = 'comfortable' | 'compact'

type Appearance = { theme: Theme; density: Density }

const place = 'portolan.appearance'
const themes = ['light', 'dark'] as const

/** How this person likes the portal to look: a wish for this browser, not for one session. */
export const useAppearance = create<Appearance & { prefer: (wish: Partial<Appearance>) => void }>()(set => ({
  ...remembered(),
  prefer(wish) {
    set(wish)
    const { theme, density } = useAppearance.getState()
    attempt(() => localStorage.setItem(place, JSON.stringify({ theme, density })))
  },
}))

/** Puts the wish on the page, now and whenever it changes here or in another tab. Called once, before anything is shown. */
export function showAppearance(): void {
  show(useAppearance.getState())
  useAppearance.subscribe(show)
  window.addEventListener('storage', event => {
    if (event.key === place) useAppearance.setState(remembered())
  })
}

/** A browser may hold anything under that name, or nothing, or refuse to hold at all. */
function remembered(): Appearance {
  const text = attempt(() => localStorage.getItem(place)) ?? ''
  const theme = themes.find(name => text.includes(`"${name}"`)) ?? 'system'
  return { theme, density: text.includes('"compact"') ? 'compact' : 'comfortable' }
}

function attempt<Result>(deed: () => Result): Result | undefined {
  try {
    return deed()
  } catch {
    return undefined
  }
}

function show({ theme, density }: Appearance): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  dataset['density'] = density
}

/** Asked for with the settings, and not before: whoever has yet to sign in sees no unit's colour. */
export const accents = () => import('./accent.ts')

/** The business unit's colour (its settings), for all that follows. Set through the style object: the page's policy forbids style texts. */
export async function showAccent(accent: string): Promise<void> {
  const { accentColours } = await accents()
  const { style } = document.documentElement
  const colours = accentColours(accent)
  style.setProperty('--accent', colours.accent)
  style.setProperty('--on-accent', colours.onAccent)
  style.setProperty('--accent-ink-light', colours.inkLight)
  style.setProperty('--accent-ink-dark', colours.inkDark)
}
