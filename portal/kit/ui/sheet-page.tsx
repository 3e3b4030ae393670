import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { locales } from '#common/kit/locales.ts'
import { chooseLanguage, languageNames } from '#portal/kit/language.ts'
import { useTitle } from './page.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** A page with one sheet in the middle, for signing in and for pages without a sign-in. */
export function SheetPage({ title, children }: { title: string; children: ReactNode }) {
  const { words, locale } = useWords()
  useTitle(title)
  return (
    <div className="grid min-h-dvh place-items-center p-4">
      <main className="grid w-full max-w-96 gap-6 rounded-xl border border-line bg-sheet p-6 sm:p-8">
        <header className="grid gap-4">
          <p className="font-semibold tracking-tight text-accent-ink">Portolan</p>
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        </header>
        {children}
        <footer className="grid gap-2 border-t border-line pt-4">
          <label className="flex items-center justify-between gap-2 text-sm text-quiet">
            {words('shell.language')}
            <select
              value={locale}
              // Safe: the options are the locales.
              onChange={event => void chooseLanguage(event.target.value as typeof locale)}
              className="min-h-11 rounded-md border border-field-line bg-sheet px-2 text-ink"
            >
              {locales.map(each => (
                <option key={each} value={each} lang={each.slice(0, 2)}>
                  {languageNames[each]}
                </option>
              ))}
            </select>
          </label>
          <Link to="/credits" className="py-2 text-sm text-quiet underline underline-offset-4">
            {words('shell.credits')}
          </Link>
        </footer>
      </main>
    </div>
  )
}
