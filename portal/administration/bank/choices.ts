import type { readBankFile } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'

type Read = ResponseOf<typeof readBankFile>
export type Entry = Read['entries'][number]
type Agency = Read['agencies'][number]

/** A file that was read: its content, the agency of each entry that is not booked, and the selected entries. */
export type Draft = {
  file: string
  entries: readonly Entry[]
  agencies: readonly Agency[]
  chosen: ReadonlyMap<string, string>
  picked: ReadonlySet<string>
}

/** Returns the agency's payment booked by hand that an entry resembles. */
export const handPayment = ({ byHand }: Entry, agency: string | undefined): Entry['byHand'][number] | undefined =>
  byHand.find(({ businessUnitUuid }) => businessUnitUuid === agency)

/**
 * Accepts the proposals. An amount alone, money paid out that is not owed, and an entry that may be booked already are left for a person to select.
 */
export function draftOf(file: string, { entries, agencies }: Read): Draft {
  const open = entries.filter(({ state }) => state !== 'booked')
  const sure = open.filter(
    entry =>
      entry.state === 'new' &&
      entry.proposal &&
      entry.proposal.by !== 'amount' &&
      !entry.proposal.doubtful &&
      !handPayment(entry, entry.proposal.businessUnit.uuid),
  )
  return {
    file,
    entries,
    agencies,
    chosen: new Map(open.flatMap(({ uuid, proposal }) => (proposal ? [[uuid, proposal.businessUnit.uuid] as const] : []))),
    picked: new Set(sure.map(({ uuid }) => uuid)),
  }
}

export function withPicked(draft: Draft, uuid: string, isPicked: boolean): Draft {
  const picked = new Set(draft.picked)
  if (isPicked) picked.add(uuid)
  else picked.delete(uuid)
  return { ...draft, picked }
}

/** Sets or removes an entry's agency. Setting it selects the entry unless it may be booked by hand. */
export function withAgency(draft: Draft, uuid: string, agency: string | null): Draft {
  const chosen = new Map(draft.chosen)
  if (agency === null) chosen.delete(uuid)
  else chosen.set(uuid, agency)
  const entry = draft.entries.find(each => each.uuid === uuid)
  const mayBeBooked = agency !== null && entry !== undefined && handPayment(entry, agency) !== undefined
  return { ...withPicked(draft, uuid, agency !== null && !mayBeBooked), chosen }
}

type ToBook = { uuid: string; businessUnitUuid: string; again?: true }

/** Returns the entries to book, in the order of the file. An entry selected despite its warning is intended. */
export const toBook = ({ entries, chosen, picked }: Draft): ToBook[] =>
  entries.flatMap(entry => {
    const { uuid } = entry
    const businessUnitUuid = chosen.get(uuid)
    if (!picked.has(uuid) || businessUnitUuid === undefined) return []
    return [{ uuid, businessUnitUuid, ...(handPayment(entry, businessUnitUuid) ? { again: true as const } : {}) }]
  })
