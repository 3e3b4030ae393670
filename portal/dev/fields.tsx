import { useState } from 'react'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { Switch } from '#portal/kit/field/switch.tsx'
import { RadioCards } from '#portal/kit/field/radio-cards.tsx'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { FileDrop } from '#portal/kit/field/file-drop.tsx'
import { MoneyField, NumberField, type NumberValue } from '#portal/kit/field/number-field.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { TextArea, TextField } from '#portal/kit/field/text-field.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { countries } from './samples.ts'

const grid = 'grid gap-(--gap) sm:grid-cols-2 lg:grid-cols-3'

export function TypedFieldSamples() {
  const [number, setNumber] = useState<NumberValue>(2)
  const [money, setMoney] = useState<NumberValue>(1234.5)
  const [date, setDate] = useState('')
  const [born, setBorn] = useState('1985-02-28')
  return (
    <div className={grid}>
      <TextField label="Name" name="name" required defaultValue="María" />
      <TextField label="E-mail" name="email" type="email" hint="The policy is sent to this address." placeholder="name@example.com" />
      <TextField label="Document" name="documentNumber" defaultValue="1234" error="This is not a DNI." hint="As on the card" />
      <TextField label="Disabled" name="disabled" disabled defaultValue="Fixed" />
      <TextField
        label="Search"
        name="searchData"
        type="search"
        before={<Icon name="search" className="ml-3 size-4 text-quiet" />}
        placeholder="Number or name"
      />
      <TextField
        label="With a button"
        name="link"
        defaultValue="https://example.com"
        readOnly
        after={<IconButton icon="copy" label="Copy" />}
      />
      <DateField
        label="Start date"
        name="startDate"
        required
        value={date}
        onChange={setDate}
        min="2026-11-21"
        max="2027-11-21"
        today="2026-11-21"
      />
      <DateField label="Birth date" name="birthDate" value={born} onChange={setBorn} min="1945-01-01" max="2026-11-21" today="2026-11-21" />
      <DateField label="Wrong date" name="wrongDate" value="31/02/2026" onChange={() => undefined} error="Enter a date as DD/MM/YYYY." />
      <NumberField label="Travellers" name="travelers" value={number} onChange={setNumber} min={1} max={9} required />
      <MoneyField label="Trip price" name="priceTravel" value={money} onChange={setMoney} hint="For all travellers together" />
      <MoneyField label="Wrong price" name="wrongPrice" value="12a" onChange={() => undefined} error="Enter a number, with digits only." />
      <TextArea label="Notes" name="notes" defaultValue="Several lines," className="sm:col-span-2" />
    </div>
  )
}

export function ListFieldSamples() {
  const [plan, setPlan] = useState('')
  const [country, setCountry] = useState<number | null>(countries[3]?.value ?? null)
  const [several, setSeveral] = useState<number[]>(countries.slice(0, 3).map(({ value }) => value))
  const plans = [
    { value: 'a', label: 'Essential' },
    { value: 'b', label: 'Total' },
    { value: 'c', label: 'Not for sale', disabled: true },
  ]
  return (
    <div className={grid}>
      <Select label="Plan" name="plan" value={plan} onChange={setPlan} options={plans} placeholder required />
      <Select label="With an icon" name="language" value="a" onChange={setPlan} options={plans} before={<Icon name="globe" />} />
      <Select label="Wrong" name="wrongPlan" value="" onChange={setPlan} options={plans} placeholder error="This field is required." />
      <Combobox label="Country" name="country" value={country} onChange={setCountry} options={countries} placeholder="Spain" />
      <Combobox label="Destinations" name="mainDestination" multiple value={several} onChange={setSeveral} options={countries} required />
      <Combobox
        label="Disabled"
        name="city"
        value={null}
        onChange={setCountry}
        options={countries.slice(0, 0)}
        disabled
        placeholder="First a province"
      />
      <Combobox label="Wrong" name="province" value={null} onChange={setCountry} options={countries} error="This field is required." />
    </div>
  )
}

export function ChoiceSamples() {
  const [kept, setKept] = useState(true)
  const [fixed, setFixed] = useState(false)
  const [on, setOn] = useState(true)
  const [who, setWho] = useState<'1' | '2' | '3'>('1')
  const [files, setFiles] = useState<File[]>([])
  return (
    <div className="grid gap-(--gap)">
      <div className={grid}>
        <div className="grid content-start gap-2">
          <Checkbox label="Checked" name="checked" checked={on} onChange={setOn} />
          <Checkbox label="Not checked" name="unchecked" checked={!on} onChange={value => setOn(!value)} />
          <Checkbox label="Some of them" name="some" checked={false} indeterminate onChange={() => undefined} />
          <Checkbox label="Disabled" name="off" checked={kept} disabled onChange={setKept} />
          <Checkbox
            label="I have read the terms"
            name="terms"
            required
            checked={false}
            onChange={() => undefined}
            error="This field is required."
          />
        </div>
        <div className="grid content-start gap-2">
          <Switch label="On" name="on" checked={on} onChange={setOn} />
          <Switch label="Off" name="offNow" checked={!on} onChange={value => setOn(!value)} hint="Takes effect at once" />
          <Switch label="Disabled" name="fixed" checked={fixed} disabled onChange={setFixed} />
        </div>
        <FileDrop label="Document" name="uploadFile" value={files} onChange={setFiles} accept={['.pdf', '.jpg']} megabytes={5} multiple />
      </div>
      <RadioCards
        label="Who takes out the policy?"
        name="policyHolderType"
        value={who}
        onChange={setWho}
        required
        options={[
          { value: '1', label: 'A traveller', detail: 'The first of those who travel', icon: 'suitcase' },
          { value: '2', label: 'Another person', detail: 'Pays but does not travel', icon: 'user' },
          { value: '3', label: 'A company', detail: 'With its tax number', icon: 'building' },
        ]}
      />
      <RadioCards
        label="Wrong, and one disabled"
        name="payment"
        value=""
        onChange={() => undefined}
        error="This field is required."
        options={[
          { value: 'StripeV2', label: 'Card', icon: 'card' },
          { value: 'Deferred', label: 'Agency account', icon: 'receipt', disabled: true },
        ]}
      />
    </div>
  )
}
