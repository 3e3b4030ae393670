import type { ComponentProps } from 'react'
import { MoneyField, NumberField, type NumberValue } from '#portal/kit/field/number-field.tsx'
import { RadioCards } from '#portal/kit/field/radio-cards.tsx'
import { Switch } from '#portal/kit/field/switch.tsx'
import type { BoundFlagProps, BoundPropsOf } from './bound.tsx'
import { Bound } from './rules-form.tsx'

// Bound fields as in bound.tsx, in a file of their own because few forms need these.

export const BoundNumber = ({ also, onChanged, ...field }: BoundPropsOf<ComponentProps<typeof NumberField>, NumberValue>) => (
  <Bound<NumberValue> name={field.name} label={field.label} also={also} onChanged={onChanged}>
    {bound => <NumberField {...field} {...bound} />}
  </Bound>
)

export const BoundMoney = ({ also, onChanged, ...field }: BoundPropsOf<ComponentProps<typeof MoneyField>, NumberValue>) => (
  <Bound<NumberValue> name={field.name} label={field.label} also={also} onChanged={onChanged}>
    {bound => <MoneyField {...field} {...bound} />}
  </Bound>
)

export const BoundSwitch = ({ also, onChanged, label, ...field }: BoundFlagProps) => (
  <Bound<boolean> chosen name={field.name} label={label} also={also} onChanged={onChanged}>
    {({ value, ...bound }) => <Switch {...field} {...bound} label={label} checked={value} />}
  </Bound>
)

export const BoundRadioCards = <Value extends string>({
  also,
  onChanged,
  ...field
}: BoundPropsOf<ComponentProps<typeof RadioCards<Value>>, Value | ''>) => (
  <Bound<Value | ''> chosen name={field.name} label={field.label} also={also} onChanged={onChanged}>
    {bound => <RadioCards<Value> {...field} {...bound} />}
  </Bound>
)
