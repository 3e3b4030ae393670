import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { locales } from '#common/kit/locales.ts'
import { chooseLanguage, languageNames } from '#portal/kit/language.ts'
import { useTitle } from './page.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** A page with one sheet in the middle, for signing in and for pages without a sign-in. A client’s page has the letters of all client pages. */
export function SheetPage({ title, forClient = false, children }: { title: string; forClient?: boolean; children: ReactNode }) {
  const { words, locale } = useWords()
  useTitle(title)
  return (
    <div className={`grid min-h-dvh content-center justify-items-center gap-3 p-4 ${forClient && 'text-[1.0625rem]/6 [--control:3rem]'}`}>
      <main className="grid w-full max-w-96 gap-5 rounded-xl border border-hair bg-sheet p-6 shadow-low sm:p-8">
        <header className="grid gap-1.5">
          <p className="text-sm text-quiet">Portolan</p>
          <h1 className={forClient ? 'text-[1.6875rem]/8 font-bold' : 'text-xl font-semibold'}>{title}</h1>
        </header>
        {children}
      </main>
      <footer className="flex w-full max-w-96 flex-wrap items-center justify-between gap-x-4 px-2 text-sm text-quiet">
        <label className="flex items-center">
          <span className="sr-only">{words('shell.language')}</span>
          <select
            value={locale}
            // Safe: the options are the locales.
            onChange={event => void chooseLanguage(event.target.value as typeof locale)}
            className="-ml-1 min-h-(--control) rounded-md bg-page pr-1 text-quiet hover:text-ink"
          >
            {locales.map(each => (
              <option key={each} value={each} lang={each.slice(0, 2)}>
                {languageNames[each]}
              </option>
            ))}
          </select>
        </label>
        <Link to="/credits" className="inline-flex min-h-(--control) items-center underline underline-offset-4">
          {words('shell.credits')}
        </Link>
      </footer>
    </div>
  )
}
