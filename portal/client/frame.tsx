import { type ReactNode, useEffect } from 'react'
import { locales } from '#common/kit/locales.ts'
import { chooseLanguage, languageNames } from '#portal/kit/language.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** The frame of a client's page: the agency's name, and letters large enough for a phone. */
export function ClientFrame({ brand, title, children }: { brand: string; title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${brand}`
  }, [title, brand])
  return (
    <div
      style={{ paddingInline: 'max(1.25rem, env(safe-area-inset-left)) max(1.25rem, env(safe-area-inset-right))' }}
      className="mx-auto grid min-h-dvh w-full max-w-[56rem] grid-rows-[auto_1fr] pb-8 text-[1.0625rem]/6 [--control:3rem]"
    >
      <header className="flex min-h-15 items-center gap-3">
        <p className="min-w-0 grow truncate font-semibold">{brand}</p>
        <Language />
      </header>
      <main className="grid content-start gap-4">{children}</main>
    </div>
  )
}

function Language() {
  const { words, locale } = useWords()
  return (
    <label className="flex items-center gap-1 text-[0.9375rem] text-quiet">
      <Icon name="globe" className="size-5" />
      <span className="sr-only">{words('shell.language')}</span>
      <select
        value={locale}
        // Safe: the options are the locales.
        onChange={event => void chooseLanguage(event.target.value as typeof locale)}
        className="min-h-11 rounded-md bg-page text-quiet hover:text-ink"
      >
        {locales.map(each => (
          <option key={each} value={each} lang={each.slice(0, 2)}>
            {languageNames[each]}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The size of a button for a thumb. */
export const wide = 'w-full text-[1.0625rem]!'
