import { fullName, joinNames } from '#common/kit/text.ts'

type Text = string | null | undefined
type NameColumns = { company_name?: Text; name?: Text; middle_name?: Text; last_name?: Text }

export const fullNameOfRow = (row: NameColumns): string =>
  fullName({ companyName: row.company_name, name: row.name, middleName: row.middle_name, lastName: row.last_name })

/** Joins every name of a row, by which a person is found: a company's row may also name the person who acts for it. */
export const allNamesOfRow = (row: NameColumns): string => joinNames(row.name, row.middle_name, row.last_name, row.company_name)
