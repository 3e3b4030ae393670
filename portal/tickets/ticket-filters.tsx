import { useState } from 'react'
import { narrowedToOwn } from '#common/kit/permissions.ts'
import type { TicketKind } from '#common/products/tickets.ts'
import { ticketStatuses } from '#common/tickets/states.ts'
import { ticketConditions, type TicketViewParam } from '#common/tickets/views.ts'
import { useMissingItems } from '#portal/kit/errors/missing-options.ts'
import type { ListChange, ListParams } from '#portal/kit/list/list-params.ts'
import { Menu, type MenuItem } from '#portal/kit/overlay/menu.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { permissionsNow } from '#portal/session/session.ts'
import { statusWords } from './detail/status-badge.tsx'
import { type TicketParam, useForms } from './use-tickets.ts'

type Choice = { value: string; label: string }
type Props = { kind: TicketKind; params: ListParams<TicketParam>; onFilter: (filters: ListChange<TicketViewParam>) => void }

/** A menu for each way to filter tickets. The types are loaded when one is about to be chosen, or when the list is filtered by one. */
export function TicketFilters({ kind, params, onFilter }: Props) {
  const { words } = useWords()
  const { status, typeUuid, mine } = ticketConditions(kind, params)
  const [choosing, setChoosing] = useState(false)
  const types = useForms(kind, { enabled: choosing || typeUuid !== undefined })
  const missingTypes = useMissingItems(types)
  const chosen = { status, topic: typeUuid, by: mine ? 'me' : undefined }
  const menu = (name: TicketViewParam, label: string, choices: Choice[], missing: MenuItem[] = []) => (
    <Filter label={label} choices={choices} missing={missing} chosen={chosen[name]} onChoose={value => onFilter({ [name]: value })} />
  )
  const choose = () => setChoosing(true)
  return (
    <div className="flex flex-wrap items-center gap-1" onPointerEnter={choose} onFocus={choose}>
      {menu(
        'status',
        words('tickets.status'),
        ticketStatuses.map(value => ({ value, label: words(statusWords[value]) })),
      )}
      {menu(
        'topic',
        words('tickets.type'),
        (types.forms ?? []).map(({ uuid, name }) => ({ value: uuid, label: name })),
        missingTypes,
      )}
      {!narrowedToOwn(permissionsNow()) && menu('by', words('tickets.filed_by'), [{ value: 'me', label: words('tickets.me') }])}
    </div>
  )
}

type FilterProps = {
  label: string
  choices: Choice[]
  missing: MenuItem[]
  chosen: string | null | undefined
  onChoose: (value: string | undefined) => void
}

function Filter({ label, choices, missing, chosen, onChoose }: FilterProps) {
  const { words } = useWords()
  const choice = choices.find(({ value }) => value === chosen)
  const all = { label: words('tickets.view_all'), checked: !chosen, onSelect: () => onChoose(undefined) }
  return (
    <Menu
      label={label}
      align="start"
      items={[
        all,
        ...choices.map(({ value, label }) => ({ label, checked: value === chosen, onSelect: () => onChoose(value) })),
        ...missing,
      ]}
    >
      {trigger => (
        <Button {...trigger} look={chosen ? 'quiet' : 'plain'}>
          <span className="text-quiet">{label}</span>
          {chosen && <span className="font-semibold">{choice?.label ?? '…'}</span>}
        </Button>
      )}
    </Menu>
  )
}
