import { type BankProblem, mostBytes, mostEntries } from '#common/accounting/bank/entry.ts'
import { longestReference } from '#common/accounting/book.ts'
import { likeOne, paidOnProblems } from '#common/accounting/by-hand.ts'
import type * as calls from '#common/administration/calls.ts'
import type { RequestOf, ResponseSentOf } from '#common/kit/call.ts'
import { displayDate, today } from '#common/kit/dates.ts'
import { megabyte } from '#common/kit/files.ts'
import { fromCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import {
  bookBankEntry,
  bookedAmong,
  bookedByHand,
  type BookedEntry,
  type HandBooking,
  type KnownEntry,
  readBank,
} from '#server/accounting/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { CallerAcrossUnits } from '#server/kit/caller.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { audit, unitForAdministration } from '#server/session/public.ts'
import { agenciesToPay, type Agency } from './accounts/queries.ts'

type Read = ResponseSentOf<typeof calls.readBankFile>
type Chosen = { entry: KnownEntry; businessUnitId: string; again: boolean }

/** Reads a bank's file and proposes the agency of each entry. A person confirms what is booked. */
export const readBankFile =
  (world: World): Handler<typeof calls.readBankFile> =>
  async input => {
    const { agencies, entries } = await read(world, input)
    const names = new Map(agencies.map(({ id, brandName }) => [id, brandName]))
    return world.database.acrossUnits(input.caller.allUnits, async tx => {
      const booked = await bookedAmong(tx, [...new Set(entries.map(({ alike }) => alike))])
      const like = new Map(booked.map(each => [each.alike, each]))
      const same = new Map(booked.map(each => [each.id, each]))
      const byHand = handBookings(await bookedByHand(tx, [...new Set(entries.map(({ cents }) => cents))]))
      const details = { entries: entries.length }
      await audit(world, tx, input, { action: 'administration.bank_read', outcome: 'done', userId: input.caller.userId, details })
      return {
        agencies: agencies.map(({ id, brandName, key, currency }) => ({ uuid: id, brandName, key, currency })),
        entries: entries.map(entry =>
          entryOf(entry, { names, own: same.get(entry.id), alike: like.get(entry.alike), byHand: byHand(entry) }),
        ),
      }
    })
  }

/** Books chosen entries, each in its own transaction. Booked ones stay if a later one fails, and a repeated request books nothing more. */
export const bookBankEntries =
  (world: World): Handler<typeof calls.bookBankEntries> =>
  async input => {
    const { agencies, entries } = await read(world, input)
    const chosen = choose(input.ask.entries, entries, agencies)
    const outcomes: ResponseSentOf<typeof calls.bookBankEntries>['outcomes'] = []
    for (const each of chosen) outcomes.push({ uuid: each.entry.id, outcome: await book(world, input, each) })
    return { outcomes }
  }

type Input = HandlerInput<typeof calls.readBankFile> | HandlerInput<typeof calls.bookBankEntries>

async function read(world: World, input: Input): Promise<{ agencies: Agency[]; entries: KnownEntry[] }> {
  const { allUnits, userId }: CallerAcrossUnits = input.caller
  const agencies = await world.database.acrossUnits(allUnits, agenciesToPay)
  const { entries, problems } = await readBank(world, userId, Buffer.from(input.ask.file, 'base64'), agencies)
  const faults = [...problems.map(problemOf), ...dayProblems(entries, today(world.clock.now(), furthestAhead))]
  if (faults.length > 0) throw refuseFields(faults)
  return { agencies, entries }
}

/** The time zone in which each day begins first, since a bank's clock is not known. */
const furthestAhead = 'Pacific/Kiritimati'

/** Returns the problem of the first entry whose day no payment can have, booked by hand or from a file. */
function dayProblems(entries: readonly KnownEntry[], latest: string): Problem[] {
  const wrong = entries.find(({ bookedOn }) => paidOnProblems(bookedOn, latest).length > 0)
  return wrong ? [{ path: 'file', rule: 'bank', key: 'bank.fault.day', params: { on: displayDate(wrong.bookedOn) ?? '' } }] : []
}

const problemOf = ({ fault, line, entry }: BankProblem): Problem => ({
  path: 'file',
  rule: 'bank',
  key: faults[fault],
  params: {
    at: line ? 'line' : entry ? 'entry' : 'file',
    place: line ?? entry ?? 0,
    megabytes: Math.floor(mostBytes / megabyte),
    most: mostEntries,
  },
})

const faults = {
  empty: 'bank.fault.empty',
  large: 'bank.fault.large',
  kind: 'bank.fault.kind',
  doctype: 'bank.fault.doctype',
  broken: 'bank.fault.broken',
  many: 'bank.fault.many',
  amount: 'bank.fault.amount',
  currency: 'bank.fault.currency',
  date: 'bank.fault.date',
  sum: 'bank.fault.sum',
  heavy: 'bank.fault.heavy',
} as const satisfies Record<BankProblem['fault'], string>

/** Finds the chosen entries in the file, and refuses all of them if one is wrong. */
function choose(asked: RequestOf<typeof calls.bookBankEntries>['entries'], entries: KnownEntry[], agencies: Agency[]): Chosen[] {
  const problems: Problem[] = []
  const chosen: Chosen[] = []
  const seen = new Set<string>()
  for (const [index, { uuid, businessUnitUuid, again = false }] of asked.entries()) {
    const entry = entries.find(({ id }) => id === uuid)
    const agency = agencies.find(({ id }) => id === businessUnitUuid)
    const path = `entries[${index}]`
    if (!entry || seen.has(uuid)) problems.push({ path: `${path}.uuid`, rule: 'bank', key: 'bank.fault.entry' })
    else if (!agency) problems.push({ path: `${path}.businessUnitUuid`, rule: 'bank', key: 'administration.fault.unit' })
    else if (agency.currency !== entry.currency) {
      const params = { currency: entry.currency, own: agency.currency }
      problems.push({ path: `${path}.businessUnitUuid`, rule: 'bank', key: 'bank.fault.other_currency', params })
    } else chosen.push({ entry, businessUnitId: businessUnitUuid, again })
    seen.add(uuid)
  }
  if (problems.length > 0) throw refuseFields(problems)
  return chosen
}

async function book(world: World, input: Input, { entry, businessUnitId, again }: Chosen): ReturnType<typeof bookBankEntry> {
  const { allUnits, userId } = input.caller
  const { id, way, cents, currency, bookedOn, reference, isReversal, proposal } = entry
  const statement = proposal?.payer === businessUnitId ? proposal.statement : null
  return world.database.inScope(unitForAdministration(allUnits, businessUnitId), async tx => {
    const outcome = await bookBankEntry(world, tx, { entry, by: userId, again })
    if (outcome !== 'booked') return outcome
    const details = {
      way,
      amount: fromCents(cents),
      currency,
      on: bookedOn,
      reference: reference.slice(0, longestReference),
      isReversal,
      statement,
      bankEntry: id,
    }
    await audit(world, tx, input, {
      action: 'administration.account_payment',
      outcome: 'done',
      userId,
      businessUnitId,
      object: businessUnitId,
      details,
    })
    return outcome
  })
}

/** Returns the function that finds, for each agency, the payment by hand that an entry looks like. */
function handBookings(booked: readonly HandBooking[]): (entry: KnownEntry) => HandBooking[] {
  const units = Map.groupBy(booked, ({ unitId }) => unitId)
  return entry => [...units.values()].flatMap(own => likeOne(entry, own) ?? [])
}

type Known = { names: Map<string, string>; own: BookedEntry | undefined; alike: BookedEntry | undefined; byHand: readonly HandBooking[] }

function entryOf(entry: KnownEntry, { names, own, alike, byHand }: Known): Read['entries'][number] {
  const { id, account, bookedOn, way, isReversal, cents, currency, name, reference, proposal } = entry
  const like = own ?? alike
  return {
    uuid: id,
    account,
    bookedOn,
    way,
    isReversal,
    amount: fromCents(cents),
    currency,
    name,
    reference,
    state: own ? 'booked' : like ? 'alike' : 'new',
    bookedFor: like ? { uuid: like.unitId, brandName: like.brandName } : null,
    byHand: own ? [] : byHand.map(({ unitId, on, reference }) => ({ businessUnitUuid: unitId, on, reference })),
    proposal: proposal && {
      businessUnit: { uuid: proposal.payer, brandName: names.get(proposal.payer) ?? '' },
      statement: proposal.statement,
      by: proposal.by,
      ...(proposal.doubtful && { doubtful: true }),
    },
  }
}
