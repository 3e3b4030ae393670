import { useMemo, useState } from 'react'
import { folded } from '#portal/kit/combobox/folded.ts'
import type { Option } from '#portal/kit/combobox/options.ts'
import { logOnly } from '#portal/kit/log.ts'
import { useWords } from '#portal/kit/words.tsx'
import { useUnit } from './settings.ts'

const loadPlaces = () => import('./country-places.ts')
let loaded: Awaited<ReturnType<typeof loadPlaces>> | undefined

type Countries = { options: Option<number>[]; lack: (text: string) => string | undefined; onFocus: () => void }

/** Returns the properties of a field for countries. Other names, cities and regions find them, too, which are loaded with the first focus. */
export function useCountries(): Countries {
  const { words } = useWords()
  const { countriesList } = useUnit().configuration
  const [places, setPlaces] = useState(loaded)
  const options = useMemo(
    () =>
      countriesList.map(({ id, name, alpha2 }) => ({
        value: id,
        label: name,
        detail: alpha2,
        ...places?.placesOf(alpha2),
      })),
    [countriesList, places],
  )
  return {
    options,
    // The destinations of a cruise are the countries of its ports.
    lack: text => (places?.isCruise(folded(text)) ? words('ui.combobox.cruise') : undefined),
    onFocus: () => void (places ?? loadPlaces().then(module => setPlaces((loaded = module)), logOnly('loading places'))),
  }
}
