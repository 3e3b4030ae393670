import { displayDate } from '#common/kit/dates.ts'
import { type PersonField, personFields } from '#common/people/person.ts'
import { customerType, type People, type User } from './people.ts'
import { type Fields, formFields, namesIn, rowFields, type Step2 } from './step2.ts'

/** Returns the form from which these users were registered: the inverse of `peopleOf`. */
export function step2From({ roleFirstUser, users }: Pick<People, 'roleFirstUser' | 'users'>): Step2 {
  const id = customerType(roleFirstUser) ?? 1
  const tables = formFields(id)
  return {
    ...Object.assign({}, ...tables.map((fields, index) => shownAs(users[index], fields))),
    policyHolderType: { id },
    extraTravellers: users.slice(tables.length).map(user => shownAs(user, rowFields)),
  }
}

const shownAs = (user: User | undefined, fields: Fields): Record<string, string | number | null> =>
  Object.fromEntries(namesIn(fields).map(([field, name]) => [name, typedOf(field, user?.[field])]))

/** Returns a fact in the form's format: a country is a list of one, by default the unit's. */
function typedOf(field: PersonField, value: string | number | null | undefined): string | number | null {
  if (personFields[field].is === 'country') return value ?? null
  return displayDate(value) ?? value ?? ''
}
