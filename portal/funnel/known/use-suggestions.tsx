import { type KeyboardEvent, type ReactNode, startTransition, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { fullName } from '#common/kit/text.ts'
import { OptionList, useListLoaded } from '#portal/kit/combobox/option-list.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { KeyHints, noteKeyUse } from '#portal/kit/page/key-hints.tsx'
import { useDismiss } from '#portal/kit/ui/floating.ts'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import type { AddressNames, PeopleForm, PersonNames } from '../people-form.ts'
import { fillContact, fillPerson, type KnownPerson, type Role, useKnownPeople } from './known-people.ts'

type Search = { by: 'document' | 'name'; text: string }

/** The props with which a text field suggests people; empty if the user may not see any. */
type FieldProps = {
  role?: 'combobox'
  'aria-expanded'?: boolean
  'aria-controls'?: string | undefined
  'aria-autocomplete'?: 'list'
  'aria-activedescendant'?: string | undefined
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
  onChanged?: (text: string) => void
}

export const documentSearch = (text: string): Search => ({ by: 'document', text })

/** Returns a search by first name and surname, as typed so far. A first name alone finds too many people. */
export const nameSearch = (name: string, surname: string): Search => ({ by: 'name', text: `${name.trim()} ${surname.trim()}` })

type Suggesting = {
  role: Role
  label: string
  /** True if Enter may take the only person found without an arrow key, as no typed text would be lost. */
  takesOnly: (search: Search) => boolean
  onChoose: (person: KnownPerson) => void
}

/**
 * Suggests known people below a field for a number or a name. It never interrupts typing: only a deliberate choice fills fields, Escape closes the
 * list, and the field keeps its text.
 */
export function useSuggestions({ role, label, takesOnly, onChoose }: Suggesting) {
  const { words } = useWords()
  const id = useId()
  const [maySeeSold, maySeeDrafts] = [useMay('b2b-policies-sold-view'), useMay('b2b-policies-draft-view')]
  const [searchedName, setSearchedName] = useState<string>()
  const [search, setSearch] = useState<Search>()
  // The pointer also selects an option, but Tab takes only one that was selected by an arrow key.
  const [led, setLed] = useState({ to: -1, byArrow: false })
  const input = useRef<HTMLInputElement>(null)
  const searchedInput = useRef<HTMLInputElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const people = useKnownPeople(role, search)
  const isFound = search !== undefined && people.length > 0
  const isLoaded = useListLoaded(isFound)
  const open = isFound && isLoaded
  const active = led.to < 0 && open && people.length === 1 && takesOnly(search) ? 0 : led.to
  useDismiss(open, [input, popover], close)
  // The list closes when the focus has moved on, however late the response comes.
  const closeOnLeave = useEffectEvent(close)
  useEffect(() => {
    const field = searchedInput.current
    if (search && document.activeElement !== field) closeOnLeave()
    field?.addEventListener('focusout', closeOnLeave)
    return () => field?.removeEventListener('focusout', closeOnLeave)
  }, [search])

  function close() {
    setSearch(undefined)
    setLed(nowhere)
  }
  function choose(person: KnownPerson | undefined) {
    close()
    if (person) onChoose(person)
  }
  function chooseByKey() {
    noteKeyUse('known')
    choose(people[active])
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const step = moves[event.key]
    if (!open) return
    if (step !== undefined) {
      event.preventDefault()
      setLed({ to: Math.min(people.length - 1, Math.max(-1, led.to + step)), byArrow: true })
    } else if (event.key === 'Enter' && active >= 0) {
      event.preventDefault()
      chooseByKey()
    } else if (event.key === 'Tab' && !event.shiftKey && led.byArrow && active >= 0) chooseByKey()
  }
  /** Returns the props of the field with this name. `searchOf` turns its text into a search. */
  const field = (name: string, searchOf: (text: string) => Search): FieldProps => {
    if (!maySeeSold && !maySeeDrafts) return {}
    const isOpenHere = open && searchedName === name
    return {
      role: 'combobox',
      'aria-expanded': isOpenHere,
      'aria-controls': isOpenHere ? `${id}-list` : undefined,
      'aria-autocomplete': 'list',
      'aria-activedescendant': isOpenHere && active >= 0 ? `${id}-${active}` : undefined,
      onKeyDown,
      // A transition, so that rendering the suggestions never delays the typed text.
      onChanged: text => {
        if (document.activeElement instanceof HTMLInputElement) input.current = searchedInput.current = document.activeElement
        startTransition(() => {
          setSearchedName(name)
          setLed(nowhere)
          setSearch(searchOf(text))
        })
      },
    }
  }
  const list: ReactNode = (
    <>
      {open && (
        <OptionList
          id={id}
          label={label}
          options={people.map((person, index) => ({ value: index, label: fullName(person), detail: person.docNumber }))}
          chosen={[]}
          active={active}
          multiple={false}
          loading={false}
          query={search?.text ?? ''}
          anchor={input}
          popover={popover}
          onPick={index => choose(people[index])}
          onPoint={to => setLed({ to, byArrow: false })}
          foot={
            <KeyHints
              place="known"
              className="border-t border-hair px-3.5 py-2"
              hints={[
                { keys: active < 0 ? ['↓', 'Enter'] : led.byArrow ? ['Enter', 'Tab'] : ['Enter'], label: words('funnel.known.take') },
                { keys: ['Escape'], label: words('funnel.known.close') },
              ]}
            />
          }
        />
      )}
      <output className="sr-only">{open ? words('ui.combobox.found', { count: people.length }) : ''}</output>
    </>
  )
  return { field, list }
}

const nowhere = { to: -1, byArrow: false }
const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/** Returns props that suggest known people in a person's fields. With address fields the person is the policyholder, and these are filled, too. */
export function usePersonSuggestions(form: RulesForm<PeopleForm>, names: PersonNames, address?: AddressNames) {
  const { words } = useWords()
  const { field, list } = useSuggestions({
    role: address ? 'policyholder' : 'traveller',
    label: words('funnel.full_name'),
    // Several people may share a name, but not a number, and Enter must not replace a name beside it.
    takesOnly: ({ by }) => by === 'document' && form.getValues([names.name, names.middleName]).every(name => !name.trim()),
    onChoose(person) {
      fillPerson(form, names, person)
      if (address) fillContact(form, address, person)
    },
  })
  return {
    list,
    name: field(names.name, text => nameSearch(text, form.getValues(names.middleName))),
    middleName: field(names.middleName, text => nameSearch(form.getValues(names.name), text)),
    documentNumber: field(names.documentNumber, documentSearch),
  }
}
