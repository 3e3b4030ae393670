import { fullName } from '#common/kit/text.ts'

type Text = string | null | undefined
type NameColumns = { company_name?: Text; name?: Text; middle_name?: Text; last_name?: Text }

export const fullNameOfRow = (row: NameColumns): string =>
  fullName({ companyName: row.company_name, name: row.name, middleName: row.middle_name, lastName: row.last_name })
