import { useRef, useState } from 'react'
import { clientQuoteComplete } from '#common/client/quote/calls.ts'
import { countriesIn } from '#common/geography/countries.ts'
import { readDate } from '#common/kit/dates.ts'
import type { documentKinds } from '#common/people/person.ts'
import { ask } from '#portal/kit/ask.ts'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { TextField, type TextFieldProps } from '#portal/kit/field/text-field.tsx'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { wide } from '../frame.tsx'
import { Part } from '../parts.tsx'
import { type ClientQuote, nameOf, type Traveller } from './quote.ts'

type Props = {
  token: string
  quote: ClientQuote
  onBack: () => void
  onFailed: (error: unknown) => Promise<boolean>
  /** Receives the price before the first traveller was completed. */
  onCompleted: (before: number, isWhole: boolean) => Promise<void>
}

/** Completes a quote, one traveller at a time. Only missing fields are asked. */
export function Complete(props: Props) {
  const { quote, onCompleted } = props
  const [first, setFirst] = useState<number>()
  const traveller = quote.travellers.find(({ missing }) => missing.length > 0)
  if (!traveller) return null
  return (
    <TravellerForm
      {...props}
      // Values stay with their person, also where the quote changes meanwhile.
      key={`${traveller.position} ${traveller.name} ${traveller.birthYear}`}
      traveller={traveller}
      onCompleted={(before, isWhole) => {
        setFirst(first ?? before)
        return onCompleted(first ?? before, isWhole)
      }}
    />
  )
}

type FieldProps = Pick<TextFieldProps, 'label' | 'name' | 'error' | 'autoComplete'>

function TravellerForm({ token, quote, traveller, onBack, onFailed, onCompleted }: Props & { traveller: Traveller }) {
  const { words } = useWords()
  const { policyUuid, version } = quote
  const { position, missing, holder } = traveller
  const asks = new Set(missing)
  const pathOf = (field: string) => `users[${position}].${field}`
  const [birthDate, setBirthDate] = useState('')
  const birthField = useRef<HTMLInputElement>(null)
  const [isWrongDate, setIsWrongDate] = useState(false)
  const { busy, failure, submit } = useSubmit(async values => {
    const born = readDate(birthDate)
    if (asks.has('birthDate') && !born) {
      setIsWrongDate(true)
      return birthField.current?.focus()
    }
    const text = (field: string) => values[pathOf(field)]?.trim() || undefined
    const residence = text('residenceCountryId')
    const user = {
      position,
      ...Object.fromEntries(textFields.map(({ field }) => [field, text(field)])),
      birthDate: asks.has('birthDate') ? born : undefined,
      documentKind: kinds.find(({ kind }) => kind === text('documentKind'))?.kind,
      phonePrefix: text('phonePrefix'),
      residenceCountryId: residence === undefined ? undefined : Number(residence),
    }
    try {
      const { before, travellers } = await ask(clientQuoteComplete, { token, policyUuid, version, users: [user] })
      await onCompleted(
        before,
        travellers.every(each => each.missing.length === 0),
      )
    } catch (error) {
      if (!(await onFailed(error))) throw error
    }
  })
  const field = (name: string, label: string, autoComplete: string): FieldProps => ({
    label,
    name: pathOf(name),
    error: failure.fields[pathOf(name)],
    // The client's own data are those of the policyholder.
    autoComplete: holder ? autoComplete : 'off',
  })
  const inputs = (fields: readonly (typeof textFields)[number][]) =>
    fields.map(({ field: each, label, auto, ...more }) =>
      asks.has(each) ? (
        <div key={each} className="grid gap-4">
          {each === 'docNumber' && <DocumentKind name={pathOf('documentKind')} error={failure.fields[pathOf('documentKind')]} />}
          {each === 'address' && <Residence {...field('residenceCountryId', words('answer.residence'), 'country')} />}
          {each === 'phoneNumber' && (
            <TextField
              {...field('phonePrefix', words('answer.phonePrefix'), 'tel-country-code')}
              type="tel"
              placeholder="+34"
              optional
              maxLength={6}
            />
          )}
          <TextField {...field(each, words(label), auto)} {...more} maxLength={200} required />
        </div>
      ) : null,
    )
  return (
    <Part title={words('answer.of', { name: nameOf(traveller, words) })} level={3} takesFocus>
      <form onSubmit={submit} className="grid gap-4">
        {inputs(textFields.filter(each => names.has(each.field)))}
        {asks.has('birthDate') && (
          <DateField
            ref={birthField}
            label={words('answer.birthDate')}
            name={pathOf('birthDate')}
            kind="birth"
            value={birthDate}
            onChange={setBirthDate}
            onBlur={() => setIsWrongDate(birthDate !== '' && !readDate(birthDate))}
            error={isWrongDate ? words('client.find_birth_wrong') : failure.fields[pathOf('birthDate')]}
            autoComplete={holder ? 'bday' : 'off'}
            required
          />
        )}
        {inputs(textFields.filter(each => !names.has(each.field)))}
        <FormError text={failure.message} />
        <Button type="submit" className={wide} busy={busy}>
          {words('answer.save')}
        </Button>
        <Button look="quiet" className={wide} onClick={onBack}>
          {words('client.back')}
        </Button>
      </form>
    </Part>
  )
}

/** They stand before the birth date. */
const names: ReadonlySet<string> = new Set(['name', 'middleName', 'lastName'])

const textFields = [
  { field: 'name', label: 'answer.name', auto: 'given-name' },
  { field: 'middleName', label: 'answer.middleName', auto: 'family-name' },
  { field: 'lastName', label: 'answer.lastName', auto: 'additional-name' },
  { field: 'docNumber', label: 'answer.docNumber', auto: 'off' },
  { field: 'email', label: 'answer.email', auto: 'email', type: 'email' },
  { field: 'phoneNumber', label: 'answer.phoneNumber', auto: 'tel-national', type: 'tel' },
  { field: 'address', label: 'answer.address', auto: 'street-address' },
  { field: 'zipCode', label: 'answer.zipCode', auto: 'postal-code' },
  { field: 'city', label: 'answer.city', auto: 'address-level2' },
  { field: 'state', label: 'answer.state', auto: 'address-level1' },
] as const

/** The kind is never missing: it has a default, by which a passport's number would be wrong. */
function DocumentKind({ name, error }: { name: string; error: string | undefined }) {
  const { words } = useWords()
  const [kind, setKind] = useState<string>('national')
  return (
    <Select
      label={words('answer.document')}
      name={name}
      value={kind}
      onChange={setKind}
      options={kinds.map(({ kind: value, label }) => ({ value, label: words(label) }))}
      error={error}
    />
  )
}

const kinds = [
  { kind: 'national', label: 'answer.national' },
  { kind: 'passport', label: 'answer.passport' },
] as const satisfies { kind: (typeof documentKinds)[number]; label: string }[]

/** The formats of an address are those of the country of residence. */
function Residence(props: FieldProps) {
  const { words, locale } = useWords()
  const [country, setCountry] = useState('')
  return (
    <Select
      {...props}
      autoComplete={props.autoComplete ?? 'off'}
      hint={words('answer.residence_hint')}
      optional
      placeholder
      value={country}
      onChange={setCountry}
      options={countriesIn(locale).map(({ id, name }) => ({ value: `${id}`, label: name }))}
    />
  )
}
