import type { ImportField } from '#common/policies/import/columns.ts'
import type { Words } from '#portal/kit/words.tsx'

/** Returns the form's label for a field. With only one surname, it is not called the first. */
export function fieldLabel(field: ImportField, hasSecondLastName: boolean, words: Words): string {
  switch (field) {
    case 'name':
      return words('funnel.name')
    case 'middleName':
      return words(hasSecondLastName ? 'funnel.middleName' : 'funnel.surname')
    case 'lastName':
      return words('funnel.lastName')
    case 'birthDate':
      return words('funnel.birthDate')
    case 'docNumber':
      return words('funnel.documentNumber')
    case 'documentKind':
      return words('funnel.documentKind')
  }
}

export const documentKindNames = { national: 'funnel.documentKind.national', passport: 'funnel.documentKind.passport' } as const
