import { writeXlsx } from 'hucre/xlsx'
import { fieldsOf, type ImportField } from '#common/policies/import/columns.ts'
import type { Words } from '#portal/kit/words.tsx'
import { fieldLabel } from './labels.ts'

/** Returns an empty workbook with the column names in the current language. Document numbers are text, to keep leading zeros. */
export async function template(words: Words, hasSecondLastName: boolean): Promise<{ name: string; content: Blob }> {
  const fields = fieldsOf(hasSecondLastName)
  const bytes = await writeXlsx({
    sheets: [
      {
        name: words('people.import.sheet'),
        columns: fields.map(field => ({
          width: field === 'birthDate' ? 20 : 26,
          numFmt: field === 'birthDate' ? 'dd/mm/yyyy' : '@',
        })),
        rows: [fields.map(field => headerOf(field, fieldLabel(field, hasSecondLastName, words), words))],
        freezePane: { rows: 1 },
      },
    ],
  })
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { name: `${words('people.import.file_name')}.xlsx`, content: new Blob([new Uint8Array(bytes)], { type }) }
}

const headerOf = (field: ImportField, label: string, words: Words): string =>
  field === 'birthDate' ? words('people.import.date_format', { label }) : label
