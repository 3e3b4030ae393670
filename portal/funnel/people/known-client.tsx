import { useEffect, useRef, useState } from 'react'
import { focusFirstField } from '#portal/kit/form/focus.ts'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { shortcut, shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { fillContact, fillFields, fillPerson, type KnownPerson } from '../known/known-people.ts'
import { useSuggestions } from '../known/use-suggestions.tsx'
import { businessAddress, insuredNames, ownAddress, type PeopleForm, policyholderNames } from '../people-form.ts'

/** Finds a client whom the agency knows, by name or document, and fills in the policyholder. */
export function KnownClient({ form, type }: { form: RulesForm<PeopleForm>; type: string }) {
  const { words } = useWords()
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const [maySeeSold, maySeeDrafts] = [useMay('b2b-policies-sold-view'), useMay('b2b-policies-draft-view')]
  const { field, list } = useSuggestions({
    role: type === '3' ? 'company' : 'policyholder',
    label: words('funnel.known_client'),
    takesOnly: () => true,
    onChoose(person) {
      setText('')
      fillHolder(form, type, person)
      // The fields have the client's values once they are validated.
      setTimeout(focusFirstField)
    },
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.defaultPrevented || !isEmptyField(event.target)) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  if (!maySeeSold && !maySeeDrafts) return null
  const { onChanged, ...props } = field('knownClient', typed => ({ by: /\d{3}/.test(typed) ? 'document' : 'name', text: typed }))
  return (
    <div className="people-find control flex items-center gap-1.5 px-2">
      <Icon name="search" className="text-faint" />
      <input
        {...props}
        {...shortcut('search')}
        ref={input}
        name="knownClient"
        aria-label={words('funnel.known_client')}
        placeholder={words('funnel.known_client')}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={event => {
          setText(event.target.value)
          onChanged?.(event.target.value)
        }}
        onKeyDown={event => {
          props.onKeyDown?.(event)
          // Enter searches, and does not send the form.
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault()
        }}
        className="typed"
      />
      <Keys keys={shortcuts.search} className="text-faint" />
      {list}
    </div>
  )
}

/** A step begins in an empty field, where only a date could begin with a slash. */
const isEmptyField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.value === '' && target.closest('main form') !== null && !/birthdate$/i.test(target.name)

function fillHolder(form: RulesForm<PeopleForm>, type: string, person: KnownPerson): void {
  if (type === '3')
    fillFields(form, [
      ['businessName', person.companyName],
      ['businessNumber', person.docNumber],
    ])
  else fillPerson(form, type === '2' ? policyholderNames : insuredNames, person)
  fillContact(form, type === '3' ? businessAddress : ownAddress, person)
}
