import { type ClipboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { recognise } from '#common/quotes/paste/paste.ts'
import { mostRead } from '#common/quotes/paste/text.ts'
import { usesSecondLastName } from '#common/policies/people.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { labelLook } from '#portal/kit/field/field.tsx'
import { TextArea } from '#portal/kit/field/text-field.tsx'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { peopleForm } from '../people-form.ts'
import { saleInProgress } from '../sale.ts'
import { newTripForm } from '../store.ts'
import { droppedBy, othersTyped, type PastedPart, partsOf } from './fill-people.ts'
import { lightUp, MarkedText } from './marked-text.tsx'
import { AgesRow, agesKey, FieldRow, keyOf, PersonRow, rowLook } from './pasted-rows.tsx'
import { Replaced } from './filled-callout.tsx'
import { agesFit, type Chosen, chosenFrom, fitting, isOffered, withoutPeople } from './take-chosen.ts'

export { FilledCallout } from './filled-callout.tsx'

type Props = { product: Product; firstText: string; onFill: (chosen: Chosen) => void; onClose: () => void }

/**
 * Shows a pasted text with the parts that were read, and beside it each value on a line. Doubtful values, and those that would change a typed person,
 * are not ticked at first. The text is lost when the dialog closes.
 */
export function PasteDialog({ product, firstText, onFill, onClose }: Props) {
  const { words, locale } = useWords()
  const { configuration } = useUnit()
  const [text, setText] = useState(firstText)
  const [isEditing, setEditing] = useState(!firstText.trim())
  const area = useRef<HTMLTextAreaElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const marks = useRef<HTMLDivElement>(null)
  /** The rows whose checkbox the user changed. */
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const read = useDeferredValue(text)
  const { countriesList, currency, earliestBirthDate } = configuration
  const recognised = useMemo(
    () => recognise(read, { today: todayInUnit(), locale, countries: countriesList, currency, earliestBirthDate }),
    [read, locale, countriesList, currency, earliestBirthDate],
  )
  const [{ typed, noneTyped }] = useState(() => {
    const { people, trip = newTripForm(product) } = saleInProgress()
    return { typed: peopleForm(people, trip), noneTyped: peopleForm(undefined, { ...trip, ...withoutPeople }) }
  })
  const hasSecondLastName = usesSecondLastName(configuration.showSecondLastName)
  const others = othersTyped(recognised.people, typed, hasSecondLastName)
  const isAnew = others.length > 0 && isTicked('instead', true)
  const beside = isAnew ? noneTyped : typed
  const rows = fitting(recognised.found, product).map(field => {
    const [offered, dropped] = [isOffered(field, product), droppedBy(field, beside)]
    return { field, key: keyOf(field), isOffered: offered, dropped, isSure: field.isSure && dropped === 0 }
  })
  const parts = partsOf(recognised.people, beside, hasSecondLastName)
  const ages = recognised.found.flatMap(each => (each.field === 'age' ? [each] : []))
  const count = rows.find(({ field, isSure }) => field.field === 'travelers' && isSure)?.field.value
  const areAgesSure = typeof count === 'number' && agesFit(count, recognised, todayInUnit())
  const chosen = {
    fields: [
      ...rows.filter(({ key, isOffered, isSure }) => isOffered && isTicked(key, isSure)).map(({ field }) => field),
      ...(isTicked(agesKey, areAgesSure) ? ages : []),
    ],
    parts: parts.filter(part => isTicked(part.key, isPartTicked(part))),
    replaced: isAnew ? others : [],
  }
  const facts = [
    ...rows.map(({ key, field: { at } }) => ({ key, at })),
    ...parts.map(({ key, at }) => ({ key, at })),
    ...ages.map(({ at }) => ({ key: agesKey, at })),
  ]
  const total = rows.length + parts.length + Math.min(1, ages.length)
  const showsMarks = !isEditing && total > 0
  const toggle = (key: string) => (checked: boolean) => setToggled(now => new Map(now).set(key, checked))
  function isTicked(key: string, byDefault: boolean): boolean {
    return toggled.get(key) ?? byDefault
  }
  /** Fills in the ticked values. Without any it focuses the first checkbox, or the empty text. */
  function fill() {
    if (chosen.fields.length + chosen.parts.length > 0) return onFill(chosenFrom(chosen))
    ;(firstTick(list.current) ?? area.current ?? marks.current)?.focus()
  }
  function edit(value: string) {
    setText(value)
    setToggled(new Map())
  }
  /** A pasted text is read at once, and its facts come next. In a text that is there already, the browser pastes. */
  function paste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData('text/plain')
    if (text.trim() || !pasted.trim()) return
    event.preventDefault()
    edit(pasted)
    setEditing(false)
  }
  function editAgain() {
    flushSync(() => setEditing(true))
    area.current?.focus()
  }
  useEffect(() => {
    if (showsMarks) firstTick(list.current)?.focus()
  }, [list, showsMarks])

  const [firstAge] = ages
  const light = ({ target }: { target: EventTarget }) =>
    target instanceof Element && lightUp(marks.current, target.closest<HTMLElement>('[data-fact]')?.dataset['fact'])
  const rowProps = (key: string, checked: boolean) => ({
    text: recognised.text,
    checked,
    onChange: toggle(key),
  })

  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title={words('paste.title')}
      description={
        <span className="flex items-start gap-2">
          <Icon name="lock" className="mt-1" /> {words('paste.privacy')}
        </span>
      }
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            {words('ui.cancel')}
          </Button>
          <Button icon="check" onClick={fill}>
            {words('paste.fill')}
          </Button>
        </>
      }
    >
      <div className="grid items-start gap-(--gap) md:grid-cols-2">
        <div className="grid gap-1 max-md:order-2 md:sticky md:top-0">
          <div className="flex min-h-(--control) items-center justify-between gap-2">
            <span aria-hidden="true" className={labelLook}>
              {words('paste.text')}
            </span>
            {total > 0 && (
              <Button look="plain" icon={showsMarks ? 'pencil' : 'check'} onClick={showsMarks ? editAgain : () => setEditing(false)}>
                {words(showsMarks ? 'paste.edit' : 'paste.done')}
              </Button>
            )}
          </div>
          {showsMarks ? (
            <MarkedText label={words('paste.text')} text={recognised.text} facts={facts} ref={marks} />
          ) : (
            <TextArea
              label={words('paste.text')}
              hideLabel
              hint={words('paste.hint')}
              ref={area}
              name="pasted"
              data-first
              rows={12}
              autoComplete="off"
              spellCheck={false}
              value={text}
              onPaste={paste}
              onChange={event => {
                edit(event.target.value)
                setEditing(true)
              }}
            />
          )}
        </div>
        <div className="grid gap-2">
          <p role="status" className="font-semibold empty:hidden">
            {read.trim() && (total > 0 ? words('paste.found', { count: total }) : words('paste.nothing'))}
          </p>
          {text.length > mostRead && <p role="status">{words('paste.cut', { count: mostRead })}</p>}
          {total > 0 && (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its checkboxes take keys and focus
            <ul
              ref={list}
              className="grid gap-1.5"
              onFocus={light}
              onPointerMove={light}
              onKeyDown={event => event.key === 'Enter' && !event.ctrlKey && !event.metaKey && fill()}
            >
              {rows.map(({ field, key, isOffered, dropped, isSure }) => (
                <FieldRow
                  key={key}
                  {...rowProps(key, isOffered && isTicked(key, isSure))}
                  field={field}
                  isOffered={isOffered}
                  dropped={dropped}
                />
              ))}
              {firstAge && (
                <AgesRow
                  {...rowProps(agesKey, isTicked(agesKey, areAgesSure))}
                  ages={ages.map(({ value }) => value)}
                  at={firstAge.at}
                  isSure={areAgesSure}
                />
              )}
              {others.length > 0 && (
                <li className={rowLook}>
                  <Checkbox
                    name="instead"
                    label={<Replaced names={others} />}
                    hint={words('paste.instead_hint')}
                    checked={isAnew}
                    onChange={toggle('instead')}
                  />
                </li>
              )}
              {parts.map(part => (
                <PersonRow key={part.key} {...rowProps(part.key, isTicked(part.key, isPartTicked(part)))} part={part} />
              ))}
            </ul>
          )}
        </div>
      </div>
    </Dialog>
  )
}

const firstTick = (list: HTMLElement | null) => list?.querySelector<HTMLElement>('[type=checkbox]:not([aria-disabled=true])')

const isPartTicked = ({ isSure, typed }: PastedPart): boolean => isSure && typed.length === 0
