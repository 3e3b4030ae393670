import { searchable } from '#common/kit/text.ts'

/** A traveller's fields, in the order of the template. */
export const importFields = ['name', 'middleName', 'lastName', 'birthDate', 'docNumber', 'documentKind'] as const

export type ImportField = (typeof importFields)[number]

/** The column of each field; -1 for none. */
export type Columns = Record<ImportField, number>

/** Returns the template's columns, with a second surname or without. */
export const fieldsOf = (second: boolean): ImportField[] => importFields.filter(field => second || field !== 'lastName')

/** Recognises columns by the names in the first row, in any language, else by the template's order. */
export function recognised(header: readonly string[], second: boolean): { columns: Columns; byName: boolean } {
  const names = header.map(plainName)
  // Safe: the keys are the fields.
  const columns = Object.fromEntries(importFields.map(field => [field, names.findIndex(name => known[field].has(name))])) as Columns
  // "Last name" is a second surname only beside a first.
  if (columns.middleName < 0 && names[columns.lastName] === 'lastname') [columns.middleName, columns.lastName] = [columns.lastName, -1]
  const byName = importFields.some(field => columns[field] >= 0)
  if (!byName) for (const [index, field] of fieldsOf(second).entries()) columns[field] = index < header.length ? index : -1
  if (!second) columns.lastName = -1
  return { columns, byName }
}

/** `Fecha de nacimiento (DD/MM/AAAA) *` → `fechadenacimiento` */
const plainName = (text: string): string => searchable(text.replaceAll(/\([^)]*\)/g, '')).replaceAll(/[^a-z0-9]/g, '')

const known: Record<ImportField, ReadonlySet<string>> = {
  name: new Set(
    (
      'name firstname firstnames givenname givennames forename forenames ' +
      'nombre nombres nombredepila prenom prenoms nome nomi nomes nomeproprio primeironome'
    ).split(' '),
  ),
  middleName: new Set(
    (
      'middlename surname surnames familyname firstsurname surname1 apellido apellidos primerapellido apellido1 1apellido ' +
      'nom nomdefamille premiernom premiernomdefamille cognome cognomi primocognome apelido apelidos primeiroapelido sobrenome'
    ).split(' '),
  ),
  lastName: new Set(
    (
      'lastname secondsurname surname2 segundoapellido apellido2 2apellido ' +
      'secondnom deuxiemenom secondnomdefamille deuxiemenomdefamille secondocognome segundoapelido'
    ).split(' '),
  ),
  birthDate: new Set(
    (
      'birthdate dateofbirth birthday born dob fechadenacimiento fechanacimiento fnacimiento fechanac nacimiento ' +
      'datedenaissance datenaissance naissance neele nele nee datadinascita datanascita nascita datadenascimento datanascimento nascimento'
    ).split(' '),
  ),
  docNumber: new Set(
    (
      'docnumber document documentnumber documentno documentid idnumber iddocument identitydocument passport passportnumber passportno ' +
      'idorpassportnumber documento numerodedocumento numerodocumento nodocumento nodedocumento ndocumento dni nif nie dninie dninif ' +
      'dninifnie nodedninieopasaporte documentodeidentidad pasaporte numerodepasaporte numerodedocument numerodudocument nodocument ' +
      'nodedocument piecedidentite ndidentiteoudepasseport passeport numerodepasseport numerodeldocumento documentodiidentita ' +
      'documentoidentita ndidocumentoopassaporto codicefiscale passaporto numerododocumento documentodeidentificacao cartaodecidadao ' +
      'nodeidentificacaooupassaporte passaporte'
    ).split(' '),
  ),
  documentKind: new Set(
    (
      'documentkind documenttype typeofdocument kindofdocument idtype tipodedocumento tipodocumento clasededocumento ' +
      'typedepiece typedepiecedidentite typedocument typededocument tipodidocumento'
    ).split(' '),
  ),
}

/** True for the name of a column that holds passports only. */
export const holdsPassports = (name: string): boolean =>
  /^(?:n|no|numero)?(?:de|del|do)?(?:passport|pasaporte|passeport|passaporto|passaporte)(?:no|number)?$/.test(plainName(name))
