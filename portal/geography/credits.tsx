import { useWords } from '#portal/kit/words.tsx'

/** Names the sources of the geography's data, as their licences require (THIRD-PARTY.md). Needs no sign-in. */
export function Credits() {
  const { words } = useWords()
  return (
    <main className="mx-auto grid max-w-prose gap-4 px-4 py-8 sm:px-6">
      <h1 className="text-xl font-semibold">{words('geography.credits.title')}</h1>
      <ul className="grid gap-2">
        <li>{words('geography.credits.codes')}</li>
        <li>{words('geography.credits.spain')}</li>
        <li>{words('geography.credits.france')}</li>
        <li>{words('geography.credits.italy')}</li>
        <li>
          {words('geography.credits.geonames')}{' '}
          <a href="https://www.geonames.org" rel="noreferrer" className="underline underline-offset-4">
            GeoNames
          </a>
          {', '}
          <a href="https://creativecommons.org/licenses/by/4.0/" rel="noreferrer" className="underline underline-offset-4">
            CC BY 4.0
          </a>
        </li>
      </ul>
      <p className="text-sm text-quiet">{words('geography.credits.changed')}</p>
    </main>
  )
}
