import { totalIn } from '#common/quotes/price-lines.ts'
import { addDays } from '#common/kit/dates.ts'
import { openRandom, type Random } from '#common/kit/random.ts'
import { codes } from '#common/quotes/rating/testing.ts'
import { previewChange } from '../change.ts'
import { previewEnding } from '../ending/cancel.ts'
import { previewReinstatement } from '../ending/reinstate.ts'
import type { Route } from '../money.ts'
import type { Ended, Payment, Policy, Version } from '../state.ts'
import { now, person, sold } from '../testing.ts'
import { type Made, previewUndo } from '../undo.ts'

const soldAt = Date.parse('2026-11-20T10:00:00Z')
const minute = 60_000

/** A refund by card. It leaves after a time, and the network may then refuse it. */
type Refund = { movement: number; payment: string; amount: number; leavesAt: number; state: 'due' | 'done' | 'refused' | 'stopped' }
/** The policy, and the money that really moved, recorded apart from the rules. */
type World = {
  policy: Policy
  at: number
  payments: (Payment & { received: number })[]
  refunds: Refund[]
  credits: number
  waived: number
  before: { kind: string; former: Version; at: number; waived: number } | undefined
}
type Step = {
  kind: string
  routes: readonly Route[]
  charge: number
  refund: number
  stopped: number
  waived: number
  unpaid?: number
  withoutWay: number
  after:
    | (Omit<Version, 'people'> & { people: readonly (Omit<Version['people'][number], 'personUuid'> & { personUuid: string | null })[] })
    | null
}

const places: Record<string, number> = { HOM: 724, SNO: 20, GRP: 250, STU: 276, ANN: 764 }

function open(random: Random): World {
  const code = random.oneOf([...codes] as [(typeof codes)[number], ...(typeof codes)[number][]]) // Safe: the list of products is not empty.
  const startDate = addDays('2026-11-20', random.oneOf([2, 5, 11, 20, 40]))
  const endDate = addDays(startDate, code === 'ANN' ? 364 : code === 'STU' ? 149 : random.oneOf([3, 4, 6]))
  const gateway = random.oneOf(['Deferred', 'StripeV2', 'StripeV2'])
  const policy = sold({
    product: code,
    soldAt: '2026-11-20T10:00:00Z',
    trip: {
      startDate,
      endDate,
      origin: code === 'HOM' ? 724 : random.oneOf([724, 724, 250, 620]),
      destinations: [places[code] ?? 380],
      amount: 1500,
      reservationDate: '2026-11-20',
    },
    people: Array.from({ length: code === 'GRP' ? 10 : 1 + random.below(2) }, (_, index) =>
      person(`P${index}`, `${1999 - 3 * index}-01-15`),
    ),
    gateway,
  })
  const [payment] = policy.payments
  if (!payment) throw new Error('a sale has a payment')
  return { policy, at: soldAt, payments: [{ ...payment, received: payment.left }], refunds: [], credits: 0, waived: 0, before: undefined }
}

/** Lets time pass. Due refunds leave, and some are refused: their money is back with the agency, and owed. */
function wait(world: World, random: Random): void {
  world.at += random.oneOf([1, 20, 59, 61, 600, 1440, 4320, 14_400]) * minute
  for (const refund of world.refunds)
    if (refund.state === 'due' && refund.leavesAt <= world.at) refund.state = random.fraction() < 0.25 ? 'refused' : 'done'
}

const sum = (cents: readonly number[]): number => cents.reduce((total, each) => total + each, 0)
const amountsOf = (refunds: readonly Refund[]): number => sum(refunds.map(({ amount }) => amount))
const unsentOf = ({ refunds, policy, at }: World): Refund[] =>
  refunds.filter(({ movement, state, leavesAt }) => movement === policy.version && state === 'due' && leavesAt > at + minute)

/** Returns the policy as the service loads it: with the rest of each payment, and the step that may be reversed. */
function loaded(world: World): { policy: Policy; made: Made | undefined } {
  const { policy, payments, refunds, before, at } = world
  const backOf = (payment: string) => amountsOf(refunds.filter(each => each.payment === payment && ['due', 'done'].includes(each.state)))
  const left = payments.map(({ paymentUuid, gateway, left: open }) => ({ paymentUuid, gateway, left: open - backOf(paymentUuid) }))
  const unsent = amountsOf(unsentOf({ ...world, at }))
  const current = { ...policy, payments: left, waived: world.waived, ended: undefined }
  if (before?.kind === 'change') return { policy: current, made: { at: before.at, former: before.former, unsent, waived: before.waived } }
  if (before?.kind !== 'cancellation' && before?.kind !== 'withdrawal') return { policy: current, made: undefined }
  const ended: Ended = { kind: before.kind, at: before.at, former: before.former, refund: 0, unsent, waived: before.waived }
  return { policy: { ...current, ended }, made: undefined }
}

const nothing = { stopped: 0, waived: 0, withoutWay: 0 }
const wishes = ['longer', 'shorter', 'later', 'join', 'leave', 'dearer', 'cheaper', 'rename'] as const

function wished({ trip, people }: Policy, random: Random) {
  const amount = (trip.amountCents ?? 0) / 100
  switch (random.oneOf(wishes)) {
    case 'longer':
      return { endDate: addDays(trip.endDate, random.oneOf([1, 4, 20])) }
    case 'shorter':
      return { endDate: addDays(trip.endDate, -random.oneOf([1, 2])) }
    case 'later':
      return { startDate: addDays(trip.startDate, 2), endDate: addDays(trip.endDate, 2) }
    case 'join':
      return {
        users: [
          ...people.map(({ personUuid }) => ({ personUuid })),
          { name: 'New Traveller', birthDate: '1970-03-03', docNumber: `N${people.length}` },
        ],
      }
    case 'leave':
      return { users: people.slice(0, -1).map(({ personUuid }) => ({ personUuid })) }
    case 'dearer':
      return { insurancedAmount: amount + random.oneOf([10, 400, 1200]) }
    case 'cheaper':
      return { insurancedAmount: Math.max(100, amount - random.oneOf([10, 400])) }
    case 'rename':
      return { users: people.map(({ personUuid }, index) => ({ personUuid, ...(index === 0 ? { name: 'Traveler P' } : {}) })) }
  }
}

function ask(world: World, random: Random): Step {
  const { policy, made } = loaded(world)
  const { version } = policy
  const on = now(world.at, { gateways: random.oneOf([['Deferred', 'StripeV2'], ['StripeV2']]) })
  if (policy.status === 'cancelled') return { ...nothing, ...previewReinstatement(policy, { version }, on), kind: 'reinstatement' }
  const wish = random.oneOf(['change', 'change', 'change', 'undo', 'undo', 'cancellation', 'withdrawal'])
  if (wish === 'change') return { ...nothing, ...previewChange(policy, { version, change: wished(policy, random) }, on), kind: 'change' }
  if (wish === 'undo' && made) {
    return { ...previewUndo(policy, { version, made }, on), kind: 'undo' }
  }
  const as = wish === 'withdrawal' ? wish : 'cancellation'
  const preview = previewEnding(policy, { as, version, acceptNoRefund: random.fraction() < 0.3 }, on)
  return { ...nothing, ...preview, kind: preview.kind ?? as }
}

/** Moves the money as the service does. Credits move at once, refunds by card at once or after an hour, and a charge is a payment of its own. */
function move(world: World, { kind, routes, charge, stopped, unpaid = 0, after, ...step }: Step): void {
  if (!after) return
  const waived = step.waived + unpaid
  const { policy, at } = world
  const [version, { charged, trip, people, tariffPremium, segments }] = [policy.version + 1, policy]
  if (stopped > 0) for (const refund of unsentOf(world)) refund.state = 'stopped'
  for (const { paymentUuid, gateway, amount } of routes) {
    const payment = world.payments.find(each => each.paymentUuid === paymentUuid)
    if (charge > 0) world.payments.push({ paymentUuid: `${version}`, gateway, left: amount, received: amount })
    else if (!payment) throw new Error('money goes back to a payment')
    else if (gateway === 'Deferred') {
      payment.left -= amount
      world.credits += amount
    } else
      world.refunds.push({
        movement: version,
        payment: payment.paymentUuid,
        amount,
        leavesAt: at + (kind === 'withdrawal' ? 0 : 60 * minute),
        state: 'due',
      })
  }
  world.waived += waived
  world.before = { kind, at, waived, former: { charged, trip, people, tariffPremium, segments } }
  const named = after.people.map((each, index) => ({ ...each, personUuid: each.personUuid ?? `N${version}.${index}` }))
  world.policy = {
    ...policy,
    ...after,
    people: named,
    version,
    status: kind === 'cancellation' || kind === 'withdrawal' ? 'cancelled' : 'purchased',
  }
}

/** Returns 0 if money in equals money charged: payments, less refunds paid or owed, plus waived amounts. */
function balanceOf({ policy, payments, refunds, credits, waived }: World): number {
  const received = sum(payments.map(payment => payment.received))
  return received + waived - credits - amountsOf(refunds.filter(({ state }) => state !== 'stopped')) - totalIn(policy.charged)
}

/**
 * Plays this many sequences of movements, and counts their events. Throws at the first with a wrong balance; `playSequences(seed, 1)` repeats that one.
 */
export function playSequences(first: number, many: number): Record<string, number> {
  const seen: Record<string, number> = {}
  const count = (what: string) => (seen[what] = (seen[what] ?? 0) + 1)
  for (let seed = first; seed < first + many; seed++) {
    const random = openRandom(seed)
    const world = open(random)
    for (let steps = 1 + random.below(5); steps > 0; steps--) {
      if (random.fraction() < 0.7) wait(world, random)
      if (random.fraction() < 0.03) world.policy = { ...world.policy, claimed: true }
      const step = ask(world, random)
      move(world, step)
      count(step.after ? step.kind : 'refused')
      for (const figure of ['charge', 'refund', 'stopped'] as const) if (step[figure] > 0) count(figure)
      const [balance, { payments }] = [balanceOf(world), loaded(world).policy]
      const isSound = balance === 0 && step.withoutWay === 0 && payments.every(({ left }) => left >= 0)
      if (!isSound) throw new Error(`seed ${seed}: ${step.kind} leaves ${balance} cents, ${step.withoutWay} without a way`)
    }
    for (const { state } of world.refunds) count(state)
  }
  return seen
}
