import { useState } from 'react'
import { clientQuoteComplete } from '#common/client/quote/calls.ts'
import { countriesIn } from '#common/geography/countries.ts'
import { documentKinds } from '#common/people/person.ts'
import { ask } from '#portal/kit/ask.ts'
import { Select } from '#portal/kit/field/select.tsx'
import { TextField, type TextFieldProps } from '#portal/kit/field/text-field.tsx'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useBirthDate } from '../birth-date.ts'
import { Part, wide } from '../frame.tsx'
import type { ClientQuote } from './quote.ts'

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
  const index = quote.travellers.findIndex(({ missing }) => missing.length > 0)
  const traveller = quote.travellers[index]
  if (!traveller) return null
  return (
    <TravellerForm
      {...props}
      // A traveller who is still incomplete begins with empty fields.
      key={`${traveller.position} ${quote.version}`}
      traveller={traveller}
      number={index + 1}
      onCompleted={(before, isWhole) => {
        setFirst(first ?? before)
        return onCompleted(first ?? before, isWhole)
      }}
    />
  )
}

type Traveller = ClientQuote['travellers'][number]
type FieldProps = Pick<TextFieldProps, 'label' | 'name' | 'error' | 'autoComplete'>

function TravellerForm({
  token,
  quote,
  traveller,
  number,
  onBack,
  onFailed,
  onCompleted,
}: Props & { traveller: Traveller; number: number }) {
  const { words } = useWords()
  const { policyUuid, version } = quote
  const { position, missing, holder } = traveller
  const asks = new Set(missing)
  const nameOf = (field: string) => `users[${position}].${field}`
  const birth = useBirthDate(nameOf('birthDate'))
  const { busy, failure, submit } = useSubmit(async values => {
    if (asks.has('birthDate') && !birth.check()) return
    const text = (field: string) => values[nameOf(field)]?.trim() || undefined
    const residence = text('residenceCountryId')
    const user = {
      position,
      ...Object.fromEntries(textFields.map(({ field }) => [field, text(field)])),
      birthDate: asks.has('birthDate') ? birth.value : undefined,
      documentKind: documentKinds.find(kind => kind === text('documentKind')),
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
    name: nameOf(name),
    error: failure.fields[nameOf(name)],
    // The client's own data are those of the policyholder.
    autoComplete: holder ? autoComplete : 'off',
  })
  const name = traveller.name || words('quoted.traveller', { number })
  return (
    <Part title={words('answer.of', { name })} level={3} takesFocus>
      <form onSubmit={submit} className="grid gap-4">
        {textFields.map(({ field: each, label, auto, ...more }) =>
          asks.has(each) ? (
            <div key={each} className="grid gap-4">
              {each === 'docNumber' && <DocumentKind name={nameOf('documentKind')} error={failure.fields[nameOf('documentKind')]} />}
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
        )}
        {asks.has('birthDate') && (
          <TextField
            {...birth.field}
            label={words('answer.birthDate')}
            error={birth.field.error ?? failure.fields[nameOf('birthDate')]}
            autoComplete={holder ? 'bday' : 'off'}
            required
          />
        )}
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
  const [kind, setKind] = useState<string>(documentKinds[0])
  return (
    <Select
      label={words('answer.document')}
      name={name}
      value={kind}
      onChange={setKind}
      options={documentKinds.map(value => ({ value, label: words(kinds[value]) }))}
      error={error}
    />
  )
}

const kinds = { national: 'answer.national', passport: 'answer.passport' } as const

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
