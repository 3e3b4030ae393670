import type { Problem } from '#common/kit/problems.ts'
import { BoundCheckbox, BoundCombobox, BoundDate, BoundSelect, BoundText } from '#portal/kit/form/bound.tsx'
import { BoundMoney, BoundNumber } from '#portal/kit/form/bound-more.tsx'
import { ErrorSummary, RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Icon, iconNames } from '#portal/kit/ui/icon.tsx'
import { parseDate } from '#common/kit/dates.ts'
import { countries } from './samples.ts'

export function ButtonSamples() {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button>Main</Button>
      <Button icon="plus">Main with icon</Button>
      <Button look="quiet">Quiet</Button>
      <Button look="quiet" icon="download">
        Export
      </Button>
      <Button look="plain">Plain</Button>
      <Button look="risk" icon="trash">
        Cancel…
      </Button>
      <Button look="danger" icon="trash">
        Danger
      </Button>
      <Button busy>Busy</Button>
      <Button look="quiet" busy>
        Busy
      </Button>
      <Button aria-disabled>Off</Button>
      <Button look="quiet" aria-disabled>
        Off
      </Button>
      <IconButton icon="settings" label="Settings" />
      <IconButton icon="plus" look="quiet" label="Add" />
      <IconButton icon="repeat" label="Reload" busy />
      <IconButton icon="trash" label="Bin" aria-disabled />
    </div>
  )
}

type Trip = {
  startDate: string
  endDate: string
  mainDestination: number | null
  travelers: number | string | null
  priceTravel: number | string | null
  email: string
  kind: string
  terms: boolean
}

const required = (path: keyof Trip): Problem => ({ path, rule: 'required', key: 'validation.required' })

function rules(trip: Trip): Problem[] {
  const missing = (['startDate', 'endDate', 'mainDestination', 'travelers', 'kind', 'terms'] as const).filter(
    name => trip[name] === null || trip[name] === '' || trip[name] === false,
  )
  const dates = (['startDate', 'endDate'] as const).filter(name => trip[name] && !parseDate(trip[name]))
  return [
    ...missing.map(required),
    ...dates.map((path): Problem => ({ path, rule: 'date', key: 'validation.invalidDate' })),
    ...(typeof trip.priceTravel === 'string' ? [{ path: 'priceTravel', rule: 'invalidNumber', key: 'validation.invalidNumber' }] : []),
  ]
}

export function FormSample() {
  const form = useRulesForm<Trip>({
    defaultValues: {
      startDate: '',
      endDate: '',
      mainDestination: null,
      travelers: 1,
      priceTravel: null,
      email: '',
      kind: '',
      terms: false,
    },
    rules,
    send: async () => {
      await new Promise(resolve => setTimeout(resolve, 800))
      showToast({ severity: 'success', summary: 'Saved' })
    },
  })
  return (
    <RulesForm form={form} className="grid gap-(--gap)">
      <ErrorSummary />
      <div className="grid gap-(--gap) sm:grid-cols-2 lg:grid-cols-3">
        <BoundDate label="Start date" name="startDate" required also={['endDate']} />
        <BoundDate label="End date" name="endDate" required />
        <BoundCombobox label="Destination" name="mainDestination" required options={countries} />
        <BoundNumber label="Travellers" name="travelers" min={1} required />
        <BoundMoney label="Trip price" name="priceTravel" />
        <BoundSelect
          label="Kind"
          name="kind"
          required
          placeholder
          options={[
            { value: 'a', label: 'Single trip' },
            { value: 'b', label: 'A whole year' },
          ]}
        />
        <BoundText label="E-mail" name="email" type="email" autoComplete="email" />
      </div>
      <BoundCheckbox label="I have read the terms" name="terms" required />
      <Button type="submit" busy={form.busy} className="justify-self-start">
        Save
      </Button>
    </RulesForm>
  )
}

export function IconSamples() {
  return (
    // Tailwind does not scan this folder for classes (theme.css).
    <ul className="grid gap-4 text-xs text-quiet" style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(5.5rem, 1fr))' }}>
      {iconNames().map(name => (
        <li key={name} className="grid justify-items-center gap-1.5">
          <Icon name={name} className="size-5 text-ink" />
          {name}
        </li>
      ))}
    </ul>
  )
}
