import { type FormEvent, useState } from 'react'
import { type BordereauKind, bordereauKinds } from '#common/accounting/bordereau/row.ts'
import { prepareBordereau } from '#common/administration/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import type { PanelOf } from '#portal/kit/list/rows.ts'
import { SidePanel } from '#portal/kit/overlay/side-panel.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { useMonthNames } from '#portal/kit/page/month-bars.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { reload } from '../use-records.ts'
import { BordereauCard } from './bordereau-card.tsx'
import { BordereauState, kindNames, type Period } from './period.tsx'

/** A closed month: its bordereaux, and the agencies that still lack one. */
export function PeriodPanel({ period, panel }: { period: Period; panel: PanelOf }) {
  const monthName = useMonthNames('long')
  const openOf = (kind: BordereauKind) =>
    period.units.filter(({ released }) => !released.includes(kind)).map(({ businessUnit }) => businessUnit)
  const open = bordereauKinds.map(kind => ({ kind, units: openOf(kind) })).filter(({ units }) => units.length > 0)
  return (
    <SidePanel {...panel} title={monthName(period.period)}>
      <div>
        <BordereauState state={period.state} />
      </div>
      {period.bordereaux.map(bordereau => (
        <BordereauCard key={bordereau.uuid} bordereau={bordereau} />
      ))}
      {open.length > 0 && <Prepare key={period.period} period={period} open={open} />}
    </SidePanel>
  )
}

const isUnreleased = ({ state }: Period['bordereaux'][number]): boolean => state === 'prepared'

type Open = { kind: BordereauKind; units: readonly { uuid: string; brandName: string }[] }

/** Prepares a new bordereau of a kind for the chosen agencies, by default all that are not released. */
function Prepare({ period: { period, bordereaux }, open }: { period: Period; open: readonly Open[] }) {
  const { words } = useWords()
  const [asked, setAsked] = useState<BordereauKind>('premium')
  const [without, setWithout] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  // Another administrator may have released the chosen one.
  const { kind, units } = open.find(each => each.kind === asked) ?? open[0] ?? { kind: asked, units: [] }
  const chosen = units.map(({ uuid }) => uuid).filter(uuid => !without.includes(uuid))
  async function prepare(event: FormEvent) {
    event.preventDefault()
    if (chosen.length === 0) return showToast({ severity: 'warn', summary: words('administration.bordereau_choose') })
    setBusy(true)
    try {
      await ask(prepareBordereau, { requestUuid: crypto.randomUUID(), period, units: chosen, kind })
      await reload()
      showToast({ severity: 'success', summary: words('administration.bordereau_asked') })
    } catch (error) {
      alertError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="grid gap-3" onSubmit={event => void prepare(event)}>
      <Select
        label={words('administration.bordereau_kind')}
        name="kind"
        value={kind}
        options={open.map(each => ({ value: each.kind, label: words(kindNames[each.kind]) }))}
        onChange={value => setAsked(bordereauKinds.find(each => each === value) ?? asked)}
      />
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-semibold">{words('administration.bordereau_units')}</legend>
        {units.map(({ uuid, brandName }) => (
          <Checkbox
            key={uuid}
            name={uuid}
            label={brandName}
            checked={!without.includes(uuid)}
            onChange={checked => setWithout(checked ? without.filter(each => each !== uuid) : [...without, uuid])}
          />
        ))}
      </fieldset>
      {bordereaux.some(each => each.kind === kind && isUnreleased(each)) && (
        <p className="text-sm text-quiet">{words('administration.bordereau_prepare_hint')}</p>
      )}
      <div>
        <Button type="submit" busy={busy}>
          {words('administration.bordereau_prepare')}
        </Button>
      </div>
    </form>
  )
}
