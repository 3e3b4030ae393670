import { useState } from 'react'
import { NumberField, MoneyField, type NumberValue } from '#portal/kit/field/number-field.tsx'
import { TextArea, TextField } from '#portal/kit/field/text-field.tsx'
import { useAppearance } from '#portal/kit/ui/appearance.ts'
import { Button, IconButton } from '#portal/kit/ui/button.tsx'
import { Icon, iconNames } from '#portal/kit/ui/icon.tsx'
import { Progress, Skeleton } from '#portal/kit/ui/progress.tsx'

/** Every component in every state, to look at. */
export function UiPage() {
  const { theme, density, prefer } = useAppearance()
  const [number, setNumber] = useState<NumberValue>(2)
  const [money, setMoney] = useState<NumberValue>(1234.5)
  return (
    <main className="mx-auto grid max-w-5xl gap-8 p-4 sm:p-8">
      <h1 className="text-xl font-semibold">Components</h1>
      <div className="flex gap-2">
        <Button look="quiet" onClick={() => prefer({ theme: theme === 'dark' ? 'light' : 'dark' })}>
          {theme}
        </Button>
        <Button look="quiet" onClick={() => prefer({ density: density === 'compact' ? 'comfortable' : 'compact' })}>
          {density}
        </Button>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button>Main</Button>
        <Button look="quiet" icon="download">
          Quiet
        </Button>
        <Button look="plain">Plain</Button>
        <Button look="danger" icon="trash">
          Danger
        </Button>
        <Button busy>Busy</Button>
        <Button disabled>Disabled</Button>
        <IconButton icon="settings" label="Settings" />
        <IconButton icon="plus" look="quiet" label="Add" />
      </div>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <TextField label="Name" name="name" required defaultValue="María" />
        <TextField label="E-mail" name="email" hint="We write to it once." placeholder="name@example.com" />
        <TextField label="Wrong" name="wrong" error="This field is required." />
        <TextField label="Disabled" name="disabled" disabled defaultValue="Fixed" />
        <NumberField label="Travellers" name="travelers" value={number} onChange={setNumber} min={1} max={9} />
        <MoneyField label="Trip price" name="priceTravel" value={money} onChange={setMoney} />
        <TextArea label="Notes" name="notes" />
      </div>
      <Progress label="Importing" value={40} />
      <Progress label="Importing" />
      <Skeleton className="h-8 w-64" />
      <div className="flex flex-wrap gap-4 text-xs text-quiet">
        {iconNames.map(name => (
          <span key={name} className="grid w-20 justify-items-center gap-1">
            <Icon name={name} className="size-6 text-ink" />
            {name}
          </span>
        ))}
      </div>
    </main>
  )
}
