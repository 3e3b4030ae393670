import { type FocusEvent, useState } from 'react'
import { fullName, searchable } from '#common/kit/text.ts'
import { documentNumberSent } from '#common/kit/validators/documents.ts'
import { knownPeople } from '#common/policies/people-calls.ts'
import { leastDocument } from '#common/policies/search.ts'
import { ask } from '#portal/kit/ask.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { logOnly } from '#portal/kit/log.ts'
import { queries } from '#portal/kit/queries.ts'
import { useMay } from '#portal/session/session.ts'
import type { PeopleForm, PersonNames } from '../people-form.ts'

/**
 * Returns the name under which the unit knows a person's document, if another name was typed. Also returns the handler to call when one of the two
 * fields is left. It is only a hint: a name may have changed, or a number may be wrong.
 */
export function useKnownAs(form: RulesForm<PeopleForm>, names: PersonNames) {
  const [maySeeSold, maySeeDrafts] = [useMay('b2b-policies-sold-view'), useMay('b2b-policies-draft-view')]
  const [known, setKnown] = useState<{ of: string; name: string }>()
  const typed = () => {
    const [name, middleName, lastName, number] = form.getValues([names.name, names.middleName, names.lastName, names.documentNumber])
    return {
      number: documentNumberSent(number.replaceAll(/[\s.-]/g, '')),
      name: name && middleName ? fullName({ name, middleName, lastName }) : '',
    }
  }
  async function look() {
    const { number, name } = typed()
    if (number.length < leastDocument || !name) return setKnown(undefined)
    const found = await queries
      .ensureQueryData({ queryKey: ['known as', number], queryFn: () => nameOf(number) })
      .catch(logOnly('looking for a person'))
    const now = typed()
    if (now.number === number && now.name === name) setKnown(found && !isSameName(found, name) ? { of: key(now), name: found } : undefined)
  }
  return {
    // The row may have another person by now.
    knownAs: known && known.of === key(typed()) ? known.name : undefined,
    onLeave: ({ target }: FocusEvent<HTMLElement>) => {
      const fields: readonly string[] = [names.name, names.middleName, names.lastName, names.documentNumber]
      if ((maySeeSold || maySeeDrafts) && target instanceof HTMLInputElement && fields.includes(target.name)) void look()
    },
  }
}

const key = ({ number, name }: { number: string; name: string }): string => `${number} ${name}`

/** Returns the name that the unit knows for a document number, or an empty text. */
async function nameOf(number: string): Promise<string> {
  const { people } = await ask(knownPeople, { search: number.slice(0, 100), by: 'document', as: 'traveller' })
  return fullName(people.find(({ docNumber }) => docNumber === number))
}

/** True if all words of one name are in the other: a second surname or first name may be missing. */
export function isSameName(one: string, other: string): boolean {
  const [ones = [], others = []] = [one, other].map(name =>
    searchable(name)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  )
  return ones.every(word => others.includes(word)) || others.every(word => ones.includes(word))
}
