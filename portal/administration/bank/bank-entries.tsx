import { useState } from 'react'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { Pagination } from '#portal/kit/list/pagination.tsx'
import { Table } from '#portal/kit/list/table.tsx'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type Draft, type Entry, handPayment, withAgency, withPicked } from './choices.ts'

type Props = { draft: Draft; busy: boolean; onChange: (draft: Draft) => void }

const perPage = 20

/** The entries of a bank's file, each with its agency, and a checkbox to book it. */
export function BankEntries(props: Props) {
  const { words } = useWords()
  const { draft, busy } = props
  const { entries } = draft
  const booked = entries.filter(({ state }) => state === 'booked').length
  const [openOnly, setOpenOnly] = useState(false)
  const [page, setPage] = useState(1)
  const shown = openOnly ? entries.filter(({ state }) => state !== 'booked') : entries
  const pages = Math.max(1, Math.ceil(shown.length / perPage))
  const at = Math.min(page, pages)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="text-sm text-quiet">
          {words('bank.count', { count: entries.length, booked })}
        </p>
        {booked > 0 && <Checkbox name="openOnly" label={words('bank.only_open')} checked={openOnly} onChange={setOpenOnly} />}
      </div>
      <Table
        caption={words('bank.entries')}
        columns={useColumns(props)}
        rows={shown.slice((at - 1) * perPage, at * perPage)}
        keyOf={({ uuid }) => uuid}
        busy={busy}
        empty={<p className="p-4 text-center text-quiet">{words(booked > 0 ? 'bank.all_booked' : 'bank.none')}</p>}
      />
      <Pagination page={at} pages={pages} onPage={setPage} />
    </div>
  )
}

function useColumns({ draft, busy, onChange }: Props): Column<Entry>[] {
  const { words } = useWords()
  const { money, date } = useFormat()
  const signed = ({ way, amount, currency }: Entry) => money(way === 'paid' ? -amount : amount, currency)
  const named = (entry: Entry) => ({ date: date(entry.bookedOn), amount: signed(entry) })
  return [
    {
      key: 'pick',
      head: words('bank.pick_head'),
      hideHead: true,
      cell: entry =>
        entry.state !== 'booked' && (
          <Checkbox
            name={`pick-${entry.uuid}`}
            label={<span className="sr-only">{words('bank.pick', named(entry))}</span>}
            checked={draft.picked.has(entry.uuid)}
            disabled={busy || !draft.chosen.has(entry.uuid)}
            onChange={isPicked => onChange(withPicked(draft, entry.uuid, isPicked))}
          />
        ),
    },
    { key: 'day', head: words('bank.day'), cell: ({ bookedOn }) => <span className="whitespace-nowrap">{date(bookedOn)}</span> },
    { key: 'payment', head: words('bank.payment'), cell: entry => <Payment entry={entry} /> },
    { key: 'amount', head: words('bank.amount'), align: 'end', cell: entry => <span className="whitespace-nowrap">{signed(entry)}</span> },
    {
      key: 'agency',
      head: words('bank.agency'),
      cell: entry =>
        entry.state === 'booked' ? (
          <State tone="success">{words('bank.booked_for', { agency: entry.bookedFor?.brandName ?? '' })}</State>
        ) : (
          <div className="grid min-w-48 gap-1 py-1">
            <Combobox<string>
              label={words('bank.agency_of', named(entry))}
              hideLabel
              name={`agency-${entry.uuid}`}
              options={optionsOf(draft, entry)}
              placeholder={words('bank.choose_agency')}
              clearable
              disabled={busy}
              value={draft.chosen.get(entry.uuid) ?? null}
              onChange={agency => onChange(withAgency(draft, entry.uuid, agency))}
            />
            <Why entry={entry} chosen={draft.chosen.get(entry.uuid)} />
          </div>
        ),
    },
  ]
}

const optionsOf = ({ agencies }: Draft, { currency }: Entry) =>
  agencies
    .filter(agency => agency.currency === currency)
    .map(({ uuid, brandName, key }) => ({ value: uuid, label: brandName, detail: key }))

function Payment({ entry: { name, reference, isReversal } }: { entry: Entry }) {
  const { words } = useWords()
  return (
    <div className="grid max-w-96 grid-cols-[minmax(0,1fr)] gap-0.5 py-1 whitespace-normal wrap-anywhere">
      {name !== '' && <span>{name}</span>}
      <span className={name === '' ? '' : 'text-sm text-quiet'}>{reference || (name === '' && words('bank.no_text'))}</span>
      {isReversal && <State tone="warning">{words('bank.reversal')}</State>}
    </div>
  )
}

/** Says why an agency is proposed, or that a person chose it. */
function Why({ entry, chosen }: { entry: Entry; chosen: string | undefined }) {
  const { words } = useWords()
  const { date } = useFormat()
  const { proposal, state, bookedFor } = entry
  const byHand = handPayment(entry, chosen)
  const reason = () => {
    if (chosen === undefined) return proposal ? '' : words('bank.no_match')
    if (!proposal || proposal.businessUnit.uuid !== chosen) return words('bank.chosen')
    const { by, statement } = proposal
    return by === 'name' && statement ? words('bank.by_name_due', { statement }) : words('bank.by', { by, statement: statement ?? '' })
  }
  return (
    <span className="text-sm whitespace-normal text-quiet">
      {reason()}
      {state === 'alike' && <span className="block text-warning">{words('bank.alike', { agency: bookedFor?.brandName ?? '' })}</span>}
      {byHand && (
        <span className="block text-warning">{words('bank.by_hand', { date: date(byHand.on), reference: byHand.reference || '—' })}</span>
      )}
    </span>
  )
}
