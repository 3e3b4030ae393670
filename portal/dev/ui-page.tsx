import { type ReactNode, useState } from 'react'
import { type Locale, locales } from '#common/kit/locales.ts'
import { Notices } from '#portal/kit/overlay/notice-host.tsx'
import { showAccent, useAppearance } from '#portal/kit/ui/appearance.ts'
import { Card } from '#portal/kit/ui/card.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { switchLanguage, useWords } from '#portal/kit/words.tsx'
import { ButtonsShown, FormShown, IconsShown } from './basics.tsx'
import { ChoicesShown, ListsShown, TypedShown } from './fields.tsx'
import { NoticesShown, OverlaysShown } from './overlays.tsx'
import { DataShown, StatesShown } from './data.tsx'

const accents = ['#1f5f8b', '#b4532a', '#1f6f8b', '#ffd400', '#0a0a0a', '#6d28d9']

const parts: [title: string, shown: () => ReactNode][] = [
  ['Buttons', ButtonsShown],
  ['Typed fields', TypedShown],
  ['Lists', ListsShown],
  ['Choices', ChoicesShown],
  ['A form with rules', FormShown],
  ['Data', DataShown],
  ['States', StatesShown],
  ['Overlays', OverlaysShown],
  ['Notices', NoticesShown],
  ['Icons', IconsShown],
]

/** Every component in every state, to look at. No user sees this page: its texts need no translation. */
export function UiPage() {
  const { theme, density, prefer } = useAppearance()
  const { locale } = useWords()
  const [accent, setAccent] = useState(accents[0] ?? '')
  const option = (value: string) => ({ value, label: value })
  return (
    <>
      <main className="mx-auto grid max-w-6xl gap-6 p-4 sm:p-8">
        <h1 className="text-xl font-semibold">Components</h1>
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          <Select
            label="Theme"
            name="theme"
            value={theme}
            onChange={theme => prefer({ theme: theme as 'dark' })}
            options={['system', 'light', 'dark'].map(option)}
          />
          <Select
            label="Density"
            name="density"
            value={density}
            onChange={density => prefer({ density: density as 'compact' })}
            options={['comfortable', 'compact'].map(option)}
          />
          <Select
            label="Accent"
            name="accent"
            value={accent}
            onChange={accent => {
              setAccent(accent)
              void showAccent(accent)
            }}
            options={accents.map(option)}
          />
          <Select
            label="Language"
            name="locale"
            value={locale}
            onChange={locale => void switchLanguage(locale as Locale)}
            options={locales.map(option)}
          />
        </div>
        {parts.map(([title, Shown]) => (
          <div key={title} id={title.toLowerCase().replaceAll(' ', '-')}>
            <Card title={title}>
              <Shown />
            </Card>
          </div>
        ))}
      </main>
      <Notices />
    </>
  )
}
