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

/** Takes the proposals over. An amount alone, and an entry that may be booked already, are for a person to pick. */
export function draftOf(file: string, { entries, agencies }: Read): Draft {
  const open = entries.filter(({ state }) => state !== 'booked')
  const sure = open.filter(({ state, proposal }) => state === 'new' && proposal && proposal.by !== 'amount')
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

/** Chooses an agency, which picks the entry, or takes it away. */
export function withAgency(draft: Draft, uuid: string, agency: string | null): Draft {
  const chosen = new Map(draft.chosen)
  if (agency === null) chosen.delete(uuid)
  else chosen.set(uuid, agency)
  return { ...withPicked(draft, uuid, agency !== null), chosen }
}

/** Returns what is to be booked, in the order of the file. */
export const toBook = ({ entries, chosen, picked }: Draft): { uuid: string; businessUnitUuid: string }[] =>
  entries.flatMap(({ uuid }) => {
    const businessUnitUuid = chosen.get(uuid)
    return picked.has(uuid) && businessUnitUuid !== undefined ? [{ uuid, businessUnitUuid }] : []
  })
