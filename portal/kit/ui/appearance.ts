import { create } from 'zustand'

type Theme = 'system' | 'light' | 'dark'
type Density = 'comfortable' | 'compact'

/** `letterKeys`: a single letter is a shortcut. It can be off, as speech input and screen readers type or use letters. */
type Appearance = { theme: Theme; density: Density; letterKeys: boolean }

const storageKey = 'portolan.appearance'
const themes = ['light', 'dark'] as const

/** The user's preferences in this browser, which outlast the session. */
export const useAppearance = create<Appearance & { prefer: (change: Partial<Appearance>) => void }>()(set => ({
  ...storedAppearance(),
  prefer(change) {
    set(change)
    const { theme, density, letterKeys } = useAppearance.getState()
    attempt(() => localStorage.setItem(storageKey, JSON.stringify({ theme, density, letterKeys })))
  },
}))

/** Applies the preferences now, and whenever they change here or in another tab. Called once, before anything is shown. */
export function showAppearance(): void {
  show(useAppearance.getState())
  useAppearance.subscribe(show)
  window.addEventListener('storage', event => {
    if (event.key === storageKey) useAppearance.setState(storedAppearance())
  })
}

/** Reads the preferences, whatever the browser's storage contains, and even if it cannot be read. */
function storedAppearance(): Appearance {
  const text = attempt(() => localStorage.getItem(storageKey)) ?? ''
  const theme = themes.find(name => text.includes(`"${name}"`)) ?? 'system'
  return { theme, density: text.includes('"compact"') ? 'compact' : 'comfortable', letterKeys: !text.includes('"letterKeys":false') }
}

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action()
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

/** Loads the colour functions with the settings, as pages before signing in show no unit's colour. */
export const loadAccents = () => import('./accent.ts')

/** Applies the business unit's colour to the page. The content security policy only allows the style object. */
export async function showAccent(accent: string): Promise<void> {
  const { accentColours } = await loadAccents()
  const { style } = document.documentElement
  const colours = accentColours(accent)
  style.setProperty('--accent', colours.accent)
  style.setProperty('--on-accent', colours.onAccent)
  style.setProperty('--accent-ink-light', colours.inkLight)
  style.setProperty('--accent-ink-dark', colours.inkDark)
}
