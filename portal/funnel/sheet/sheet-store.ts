import { useSyncExternalStore } from 'react'
import type { Surnames } from '#common/people/family-surnames.ts'
import { type FieldProblem, problemList } from '#portal/kit/form/problems.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import type { usePersonSuggestions } from '../known/use-suggestions.tsx'
import type { PasteNote } from '../import/pasted-into.ts'
import { insuredNames, type PeopleForm, type PersonNames } from '../people-form.ts'

export type RowProblems = { [field in keyof PersonNames]?: FieldProblem }
/** The offers for the focused row: known people, two surnames, and the names of known companions. */
export type Offer = { suggestions: ReturnType<typeof usePersonSuggestions>; surnames: Surnames; companions: string }
/** The policyholder's known companions who can be added at once: their names, and a function that adds them. */
type Companions = { names: string; add: () => void }

/**
 * The parts of a sheet that change during typing: the problems of each row, and the offers for the focused row. Each row follows its own part, so
 * that a key renders no other row.
 */
export type SheetStore = ReturnType<typeof createSheetStore>

export function createSheetStore({ subscribe, getErrors }: RulesForm<PeopleForm>) {
  const listeners = new Set<() => void>()
  let problems = new Map<number, { text: string; problems: RowProblems }>()
  let [active, surnames, offer]: [number, Surnames, Offer | undefined] = [0, ['', ''], undefined]
  let companions: Companions | undefined
  let notes: Notes = new Map()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  /** Reads all problems once. A row with unchanged problems keeps its object. */
  function readProblems() {
    const found = new Map<number, RowProblems>()
    for (const { name, problem } of problemList(getErrors())) {
      const at = placeOf(name)
      if (at) found.set(at.place, { ...found.get(at.place), [at.field]: problem })
    }
    problems = new Map(
      [...found].map(([place, row]) => {
        const [text, before] = [JSON.stringify(Object.entries(row).map(([field, problem]) => [field, keyOf(problem)])), problems.get(place)]
        return [place, before?.text === text ? before : { text, problems: row }]
      }),
    )
    tell()
  }
  return {
    follow() {
      readProblems()
      return subscribe({ formState: { errors: true }, callback: readProblems })
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Returns the notes of a paste on a row, which stay until the row is edited or rows move. */
    notesAt: (place: number): readonly PasteNote[] => notes.get(place) ?? noNotes,
    setNotes(next: Notes) {
      if (next.size === 0 && notes.size === 0) return
      notes = next
      tell()
    },
    dropNotes(place: number) {
      if (!notes.has(place)) return
      notes = new Map([...notes].filter(([at]) => at !== place))
      tell()
    },
    problemsAt: (place: number): RowProblems => problems.get(place)?.problems ?? none,
    offerAt: (place: number): Offer | undefined => (place === active ? offer : undefined),
    active: () => active,
    surnames: () => surnames,
    companions: () => companions,
    setCompanions: (next: Companions | undefined) => {
      companions = next
      tell()
    },
    focus(place: number, next: Surnames) {
      if (place === active && next.every((surname, index) => surname === surnames[index])) return
      if (place !== active) offer = undefined
      active = place
      surnames = next
      tell()
    },
    offer(next: Offer) {
      offer = next
      tell()
    },
  }
}

/** Follows a part of the store, which must stay the same object until it changes. */
export const useSheet = <Part>(store: SheetStore, part: () => Part): Part => useSyncExternalStore(store.subscribe, part)

const none: RowProblems = {}
type Notes = ReadonlyMap<number, readonly PasteNote[]>
const noNotes: readonly PasteNote[] = []

const keyOf = ({ type, message, problem }: FieldProblem) => [type, message, problem?.params]

const fieldsByName = new Map<string, keyof PersonNames>(
  // Safe: the keys of the table.
  Object.entries(insuredNames).map(([field, name]) => [name, field as keyof PersonNames]),
)

/** Returns the traveller's index and field for a name of the form; undefined if the name is not a traveller's. */
function placeOf(name: string): { place: number; field: keyof PersonNames } | undefined {
  const [, row, ofRow] = /^extraTravellers\.(\d+)\.(\w+)$/.exec(name) ?? []
  const field = fieldsByName.get(ofRow === 'docNumber' ? 'documentNumber' : (ofRow ?? name))
  return field && { place: row === undefined ? 0 : Number(row) + 1, field }
}
