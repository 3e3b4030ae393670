import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { OptionList, useListLoaded } from '#portal/kit/combobox/option-list.tsx'
import { useDismiss } from '#portal/kit/ui/floating.ts'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { type As, type Known, useKnownPeople } from './known-people.ts'

type Search = { by: 'document' | 'name'; text: string }

/** What a text field needs to offer people; nothing where the caller may not see any. */
type FieldProps = {
  role?: 'combobox'
  'aria-expanded'?: boolean
  'aria-controls'?: string | undefined
  'aria-autocomplete'?: 'list'
  'aria-activedescendant'?: string | undefined
  onFocus?: (event: FocusEvent<HTMLInputElement>) => void
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
  onChanged?: (text: string) => void
}

export const byDocument = (text: string): Search => ({ by: 'document', text })

/** By the first name and the surname as far as they are typed. Too little of a first name alone would find half the town. */
export const byName = (name: string, surname: string): Search => ({ by: 'name', text: `${name.trim()} ${surname.trim()}` })

/**
 * People whom the unit knows, offered beneath the field in which somebody types a number or a name. It never stands in the way: nothing is
 * chosen that was not gone to, Escape closes it, and the field keeps what is typed.
 */
export function useKnown(as: As, label: string, onChoose: (person: Known) => void) {
  const { words } = useWords()
  const id = useId()
  const [sold, drafts] = [useMay('b2b-policies-sold-view'), useMay('b2b-policies-draft-view')]
  const [at, setAt] = useState<string>()
  const [search, setSearch] = useState<Search>()
  const [active, setActive] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const asked = useRef<HTMLInputElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const people = useKnownPeople(as, search)
  const isFound = search !== undefined && people.length > 0
  const isLoaded = useListLoaded(isFound)
  const open = isFound && isLoaded
  useDismiss(open, [input, popover], close)
  // Nobody is offered to whoever has gone on, however late the answer comes.
  const goneOn = useEffectEvent(close)
  useEffect(() => {
    const field = asked.current
    if (search && document.activeElement !== field) goneOn()
    field?.addEventListener('focusout', goneOn)
    return () => field?.removeEventListener('focusout', goneOn)
  }, [search])

  function close() {
    setSearch(undefined)
    setActive(-1)
  }
  function choose(person: Known | undefined) {
    close()
    if (person) onChoose(person)
  }
  function press(event: KeyboardEvent<HTMLInputElement>) {
    const by = moves[event.key]
    if (!open) return
    if (by !== undefined) {
      event.preventDefault()
      setActive(Math.min(people.length - 1, Math.max(-1, active + by)))
    } else if (event.key === 'Enter' && active >= 0) {
      event.preventDefault()
      choose(people[active])
    }
  }
  /** The field of this name; `searchOf` says what its text is looked for as. */
  const field = (name: string, searchOf: (text: string) => Search): FieldProps => {
    if (!sold && !drafts) return {}
    const here = open && at === name
    return {
      role: 'combobox',
      'aria-expanded': here,
      'aria-controls': here ? `${id}-list` : undefined,
      'aria-autocomplete': 'list',
      'aria-activedescendant': here && active >= 0 ? `${id}-${active}` : undefined,
      onFocus: event => {
        input.current = event.currentTarget
      },
      onKeyDown: press,
      // What is offered may come a moment after what is typed.
      onChanged: text => {
        asked.current = input.current
        startTransition(() => {
          setAt(name)
          setActive(-1)
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
          options={people.map((person, place) => ({ value: place, label: nameOf(person), detail: person.docNumber }))}
          chosen={[]}
          active={active}
          multiple={false}
          loading={false}
          query={search?.text ?? ''}
          anchor={input}
          popover={popover}
          onPick={place => choose(people[place])}
          onPoint={setActive}
        />
      )}
      <output className="sr-only">{open ? words('ui.combobox.found', { count: people.length }) : ''}</output>
    </>
  )
  return { field, list }
}

const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

const nameOf = ({ companyName, name, middleName, lastName }: Known): string =>
  companyName || [name, middleName, lastName].filter(Boolean).join(' ')
