import type { readBankFile } from '#common/administration/account-calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'

type Read = ResponseOf<typeof readBankFile>
export type Entry = Read['entries'][number]
type Agency = Read['agencies'][number]

/** A file that was read: its content, and the agency of each entry that is not booked, with those that are to be booked. */
export type Draft = {
  file: string
  entries: readonly Entry[]
  agencies: readonly Agency[]
  chosen: ReadonlyMap<string, string>
  picked: ReadonlySet<string>
}

/** Returns the payment booked by hand for an agency that an entry looks like. */
export const handPayment = ({ byHand }: Entry, agency: string | undefined): Entry['byHand'][number] | undefined =>
  byHand.find(({ businessUnitUuid }) => businessUnitUuid === agency)

/** Takes the proposals over. An amount alone, money paid out that is not owed, and an entry that may be booked already are for a person to pick. */
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

/** Chooses an agency, which picks the entry unless it may be booked by hand, or takes it away. */
export function withAgency(draft: Draft, uuid: string, agency: string | null): Draft {
  const chosen = new Map(draft.chosen)
  if (agency === null) chosen.delete(uuid)
  else chosen.set(uuid, agency)
  const entry = draft.entries.find(each => each.uuid === uuid)
  const mayBeBooked = agency !== null && entry !== undefined && handPayment(entry, agency) !== undefined
  return { ...withPicked(draft, uuid, agency !== null && !mayBeBooked), chosen }
}

type ToBook = { uuid: string; businessUnitUuid: string; again?: true }

/** Returns what is to be booked, in the order of the file. What was picked beside its warning is meant. */
export const toBook = ({ entries, chosen, picked }: Draft): ToBook[] =>
  entries.flatMap(entry => {
    const { uuid } = entry
    const businessUnitUuid = chosen.get(uuid)
    if (!picked.has(uuid) || businessUnitUuid === undefined) return []
    return [{ uuid, businessUnitUuid, ...(handPayment(entry, businessUnitUuid) ? { again: true as const } : {}) }]
  })
