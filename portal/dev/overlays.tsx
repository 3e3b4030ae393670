import { useState } from 'react'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { Dialog, Drawer } from '#portal/kit/overlay/dialog.tsx'
import { Menu } from '#portal/kit/overlay/menu.tsx'
import { type Position, type Severity, showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import { showLoader } from '#portal/kit/overlay/loading.ts'
import { Tooltip } from '#portal/kit/ui/tooltip.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { countries } from './samples.ts'

export function OverlaySamples() {
  const [open, setOpen] = useState<'dialog' | 'drawer'>()
  const [view, setView] = useState('list')
  const [date, setDate] = useState('')
  const [country, setCountry] = useState<number | null>(null)
  const fields = (
    <>
      <TextField label="Email addresses" name="emails" />
      <DateField label="When" name="when" value={date} onChange={setDate} today="2026-11-21" />
      <Combobox label="Where" name="where" value={country} onChange={setCountry} options={countries} />
    </>
  )
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="quiet" onClick={() => setOpen('dialog')}>
        Dialog
      </Button>
      <Button look="quiet" onClick={() => setOpen('drawer')}>
        Drawer
      </Button>
      <Menu
        label="View"
        align="start"
        items={['list', 'cards'].map(each => ({ label: each, checked: each === view, onSelect: () => setView(each) }))}
      >
        {trigger => (
          <Button {...trigger} look="quiet" icon="rows">
            Menu
          </Button>
        )}
      </Menu>
      <Tooltip text="Only those who may sell see this.">
        <Button look="quiet">Tooltip</Button>
      </Tooltip>
      <Dialog
        open={open === 'dialog'}
        onClose={() => setOpen(undefined)}
        title="Send the certificates"
        description="They go to all addresses below, one mail each."
        actions={
          <>
            <Button look="quiet" onClick={() => setOpen(undefined)}>
              Cancel
            </Button>
            <Button onClick={() => setOpen(undefined)}>Send</Button>
          </>
        }
      >
        {fields}
      </Dialog>
      <Drawer
        open={open === 'drawer'}
        onClose={() => setOpen(undefined)}
        title="Policy AZ-2026-104233"
        actions={<Button icon="download">Download</Button>}
      >
        {fields}
        <p>{'What it covers, in many words. '.repeat(80)}</p>
      </Drawer>
    </div>
  )
}

const severities: Severity[] = ['success', 'info', 'warn', 'error']
const positions: Position[] = ['top-left', 'top-center', 'bottom-left', 'bottom-center', 'bottom-right']

export function NoticeSamples() {
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        {(['info', 'warning', 'error'] as const).map(mode => (
          <Button key={mode} look="quiet" onClick={() => showAlert({ mode })}>
            Alert: {mode}
          </Button>
        ))}
        <Button look="quiet" onClick={() => void showAlert({ mode: 'confirm' })}>
          Alert: confirm
        </Button>
        <Button look="quiet" onClick={() => void confirm('yes')}>
          Alert: confirm a deletion
        </Button>
        <Button look="quiet" onClick={() => void confirm('no')}>
          Alert: confirm that fails
        </Button>
      </div>
      <div className="flex flex-wrap gap-2">
        {severities.map(severity => (
          <Button
            key={severity}
            look="quiet"
            onClick={() => showToast({ severity, summary: 'The policy was sent', detail: 'To ana@example.com' })}
          >
            Toast: {severity}
          </Button>
        ))}
        {positions.map(position => (
          <Button key={position} look="quiet" onClick={() => showToast({ position, summary: position })}>
            {position}
          </Button>
        ))}
        <Button
          look="quiet"
          onClick={() => showToast({ summary: 'A new version is there', life: 0, action: { label: 'Reload', run: () => undefined } })}
        >
          Toast that stays
        </Button>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" onClick={() => setTimeout(showLoader(), 1500)}>
          Loader
        </Button>
        <Button look="quiet" onClick={() => setTimeout(showLoader({ bgTrasparent: true }), 1500)}>
          Loader, transparent
        </Button>
      </div>
    </div>
  )
}

async function confirm(outcome: 'yes' | 'no'): Promise<void> {
  const confirmed = await showAlert({
    mode: 'confirm',
    title: 'Delete the saved policy?',
    description: 'It cannot be brought back.',
    buttonTitle: 'Delete',
    buttonBehavior: async () => {
      await new Promise(resolve => setTimeout(resolve, 800))
      if (outcome === 'no') throw new Error('refused')
    },
  })
  showToast({ summary: confirmed ? 'Deleted' : 'Kept' })
}
