import { joinNames } from '#common/kit/text.ts'

type Text = string | null | undefined
type Names = { companyName?: Text; name?: Text; middleName?: Text; lastName?: Text }
type NameColumns = { company_name?: Text; name?: Text; middle_name?: Text; last_name?: Text }

/** Returns a company's name, or a person's names in order; empty if none is known. */
export const fullName = (person: Names | undefined): string =>
  person?.companyName || joinNames(person?.name, person?.middleName, person?.lastName)

export const fullNameOfRow = (row: NameColumns): string =>
  fullName({ companyName: row.company_name, name: row.name, middleName: row.middle_name, lastName: row.last_name })
