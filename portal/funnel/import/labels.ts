import type { ImportField } from '#common/policies/import/columns.ts'
import type { Words } from '#portal/kit/words.tsx'

/** As the form calls them: who has one surname has no first. */
export function fieldLabel(field: ImportField, second: boolean, words: Words): string {
  switch (field) {
    case 'name':
      return words('funnel.name')
    case 'middleName':
      return words(second ? 'funnel.middleName' : 'funnel.surname')
    case 'lastName':
      return words('funnel.lastName')
    case 'birthDate':
      return words('funnel.birthDate')
    case 'docNumber':
      return words('funnel.documentNumber')
  }
}
