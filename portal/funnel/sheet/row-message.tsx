import { intlTag } from '#common/kit/locales.ts'
import { isMissing } from '#portal/kit/form/problems.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { problemIn, useWords } from '#portal/kit/words.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { usesSecondLastName } from '#common/policies/people.ts'
import type { PasteNote } from '../import/pasted-into.ts'
import type { RowProblems } from './sheet-store.ts'

/** Returns the name of each column. */
export function useColumnNames() {
  const { words } = useWords()
  const hasSecondLastName = usesSecondLastName(useUnit().configuration.showSecondLastName)
  return {
    name: words('funnel.name'),
    middleName: words(hasSecondLastName ? 'funnel.middleName' : 'funnel.surname'),
    lastName: words('funnel.lastName'),
    birthDate: words('funnel.birthDate'),
    documentKind: words('funnel.documentKind'),
    documentNumber: words('funnel.sheet.number'),
  }
}

/** Returns the problems of a row in words: all missing values in one sentence, then each other problem. */
export function useRowTexts(problems: RowProblems): string[] {
  const { words, locale } = useWords()
  const { list } = useFormat()
  const columns = useColumnNames()
  // Safe: the keys are those of the columns.
  const entries = Object.entries(problems) as [keyof typeof columns, NonNullable<RowProblems[keyof RowProblems]>][]
  const missing = entries.filter(([, { type }]) => isMissing(type)).map(([field]) => columns[field].toLocaleLowerCase(intlTag(locale)))
  return [
    ...(missing.length > 0 ? [words('validation.missing', { fields: list(missing) })] : []),
    ...entries
      .filter(([, { type }]) => !isMissing(type))
      .map(([field, { problem, message }]) =>
        words('funnel.sheet.wrong', { field: columns[field], problem: problem ? problemIn(words, problem) : (message ?? '') }),
      ),
  ]
}

/** Returns notes on the cells of a row that a paste converted or skipped. */
export function useNoteTexts(notes: readonly PasteNote[]): string[] {
  const { words } = useWords()
  const { list } = useFormat()
  return notes.map(({ what, texts }) => {
    const [text = '', read = ''] = texts
    if (what === 'no_date') return words('people.paste.no_date', { text })
    if (what === 'day_count') return words('people.paste.day_count', { text, date: read })
    return what === 'kind' ? words('people.paste.kind', { text }) : words('people.paste.unused', { texts: list(texts) })
  })
}

/** The line below a row with its problems. */
export function RowMessage({ id, texts, note }: { id: string; texts: readonly string[]; note: string | undefined }) {
  if (texts.length === 0)
    return (
      <p className="people-message flex items-center gap-1.5 border-t border-hair text-sm text-quiet">
        <Icon name="info" className="size-3.5" /> {note}
      </p>
    )
  return (
    <p id={id} className="people-message flex flex-wrap items-center gap-x-3 bg-danger-soft text-sm">
      {texts.map(text => (
        <span key={text} className="inline-flex items-center gap-1.5 font-semibold text-danger">
          <Icon name="alert-circle" className="size-3.5" /> {text}
        </span>
      ))}
      {note && <span className="text-quiet">{note}</span>}
    </p>
  )
}
