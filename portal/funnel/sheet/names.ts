import { insuredNames, type PersonNames, type Row } from '../people-form.ts'

const known: PersonNames[] = [insuredNames]

/** Returns the form's names for the traveller at an index, from 0. The first traveller is in the form itself. */
export function namesAt(place: number): PersonNames {
  const path = (name: keyof Row) => `extraTravellers.${place - 1}.${name}` as const
  return (known[place] ??= {
    name: path('name'),
    middleName: path('middleName'),
    lastName: path('lastName'),
    birthDate: path('birthDate'),
    documentNumber: path('docNumber'),
    documentKind: path('documentKind'),
  })
}

/** Returns the row of extra travellers that has this field; undefined for several fields. */
export function rowOf([name, ...others]: readonly string[]): number | undefined {
  const row = others.length === 0 ? /^extraTravellers\.(\d+)\./.exec(name ?? '')?.[1] : undefined
  return row === undefined ? undefined : Number(row)
}
