import { type ReactNode, useState } from 'react'
import { isLocale, locales } from '#common/kit/locales.ts'
import { Notices } from '#portal/kit/overlay/notice-host.tsx'
import { showAccent, useAppearance } from '#portal/kit/ui/appearance.ts'
import { Card } from '#portal/kit/ui/card.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { switchLanguage, useWords } from '#portal/kit/words.tsx'
import { ButtonSamples, FormSample, IconSamples } from './basics.tsx'
import { ChoiceSamples, ListFieldSamples, TypedFieldSamples } from './fields.tsx'
import { NoticeSamples, OverlaySamples } from './overlays.tsx'
import { TableSample, StateSamples } from './data.tsx'
import { PartSamples } from './parts.tsx'
import { addIcons } from '#portal/kit/ui/icon.tsx'
import { moreIcons } from '#portal/kit/ui/more-icons.ts'

addIcons(moreIcons)

const themes = ['system', 'light', 'dark'] as const
const densities = ['comfortable', 'compact'] as const
const accents = ['#1f5f8b', '#b4532a', '#1f6f8b', '#ffd400', '#0a0a0a', '#6d28d9']

const sections: [title: string, samples: () => ReactNode][] = [
  ['Buttons', ButtonSamples],
  ['Typed fields', TypedFieldSamples],
  ['Lists', ListFieldSamples],
  ['Choices', ChoiceSamples],
  ['A form with rules', FormSample],
  ['Data', TableSample],
  ['States', StateSamples],
  ['Parts of pages', PartSamples],
  ['Overlays', OverlaySamples],
  ['Notices', NoticeSamples],
  ['Icons', IconSamples],
]

/** Shows every component in every state. Users never see this page, so its texts are not translated. */
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
            onChange={chosen => prefer({ theme: themes.find(each => each === chosen) ?? 'system' })}
            options={themes.map(option)}
          />
          <Select
            label="Density"
            name="density"
            value={density}
            onChange={chosen => prefer({ density: densities.find(each => each === chosen) ?? 'comfortable' })}
            options={densities.map(option)}
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
            onChange={chosen => isLocale(chosen) && void switchLanguage(chosen)}
            options={locales.map(option)}
          />
        </div>
        {sections.map(([title, Samples]) => (
          <div key={title} id={title.toLowerCase().replaceAll(' ', '-')}>
            <Card title={title}>
              <Samples />
            </Card>
          </div>
        ))}
      </main>
      <Notices />
    </>
  )
}
