import { writeXlsx } from 'hucre/xlsx'
import { fieldsOf, type ImportField } from '#common/policies/import/columns.ts'
import type { Words } from '#portal/kit/words.tsx'
import { fieldLabel } from './labels.ts'

/** An empty list with the names of its columns, in the language of the moment. Documents are text, so that no zero is lost. */
export async function template(words: Words, second: boolean): Promise<{ name: string; content: Blob }> {
  const fields = fieldsOf(second)
  const bytes = await writeXlsx({
    sheets: [
      {
        name: words('people.import.sheet'),
        columns: fields.map(field => ({
          width: field === 'birthDate' ? 20 : 26,
          numFmt: field === 'birthDate' ? 'dd/mm/yyyy' : '@',
        })),
        rows: [fields.map(field => named(field, fieldLabel(field, second, words), words))],
        freezePane: { rows: 1 },
      },
    ],
  })
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { name: `${words('people.import.file_name')}.xlsx`, content: new Blob([new Uint8Array(bytes)], { type }) }
}

const named = (field: ImportField, label: string, words: Words): string =>
  field === 'birthDate' ? words('people.import.date_format', { label }) : label
