import { memo, useEffect, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { fullName } from '#common/kit/text.ts'
import { needsDocument } from '#common/policies/people.ts'
import { focusFirstProblem } from '#portal/kit/form/focus.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { peopleSettings } from '../guard.ts'
import { type AddressNames, namesAt, type PeopleForm } from '../people-form.ts'
import { PersonFields } from '../person/person-fields.tsx'
import { useRowTexts } from './row-message.tsx'
import { type SheetStore, useSheet } from './sheet-store.ts'

type Props = {
  form: RulesForm<PeopleForm>
  store: SheetStore
  place: number
  isOpen: boolean
  /** The names of the address fields, if the traveller is the policyholder. */
  address: AddressNames | undefined
  /** The policyholder's country of residence. */
  residence: number
  onOpen: (place: number) => void
  onRemove: ((place: number) => void) | undefined
}

/** A traveller on a phone: one line with the name, or the fields. */
export const TravellerCard = memo(function TravellerCard({ form, store, place, isOpen, address, residence, onOpen, onRemove }: Props) {
  const { words } = useWords()
  const names = namesAt(place)
  const title = words('funnel.extra.traveller', { place: place + 1 })
  const item = useRef<HTMLLIElement>(null)
  const wasOpen = useRef(isOpen)
  // A card that was just opened takes the focus.
  useEffect(() => {
    if (isOpen && !wasOpen.current && !focusFirstProblem(item.current)) item.current?.querySelector('input')?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <li ref={item} aria-label={title} data-place={place} className="border-t border-hair first:border-0">
      {isOpen ? (
        <div className="grid gap-(--gap) py-3">
          <div className="flex min-h-8 items-center justify-between gap-2">
            <p className="font-semibold">{title}</p>
            {onRemove && (
              <Button look="plain" icon="x" onClick={() => onRemove(place)}>
                {words('funnel.extra.remove', { place: place + 1 })}
              </Button>
            )}
          </div>
          <PersonFields form={form} names={names} address={address} residence={residence} traveller={place} />
        </div>
      ) : (
        <Closed form={form} store={store} place={place} onOpen={onOpen} />
      )}
    </li>
  )
})

function Closed({ form, store, place, onOpen }: Pick<Props, 'form' | 'store' | 'place' | 'onOpen'>) {
  const { words } = useWords()
  const names = namesAt(place)
  const [name, middleName, lastName, birthDate, document] = useWatch({
    control: form.control,
    name: [names.name, names.middleName, names.lastName, names.birthDate, names.documentNumber],
  })
  const texts = useRowTexts(useSheet(store, () => store.problemsAt(place)))
  const { startDate, today } = peopleSettings()
  const isDocumentNeeded = needsDocument(birthDate, startDate ?? today)
  return (
    <button
      type="button"
      aria-expanded={false}
      data-mend={texts.length > 0 || undefined}
      onClick={() => onOpen(place)}
      className="people-closed"
    >
      <span aria-hidden="true" className="text-faint">
        {place + 1}
      </span>
      <span className="grid min-w-0">
        <span className="truncate font-semibold">
          {fullName({ name, middleName, lastName }) || words('funnel.extra.traveller', { place: place + 1 })}
        </span>
        <span className="truncate text-sm text-quiet">
          {[birthDate, document || (isDocumentNeeded && words('funnel.sheet.no_document'))].filter(Boolean).join(' · ')}
        </span>
        {texts.map(text => (
          <span key={text} className="flex items-center gap-1.5 text-sm font-semibold text-danger">
            <Icon name="alert-circle" className="size-3.5" /> {text}
          </span>
        ))}
      </span>
      <Icon name="pencil" className="text-quiet" />
    </button>
  )
}
