/** The kinds of bookings that earn an agency commission. All others only move money. */
export const movementKinds = ['sale', 'change', 'undo', 'cancellation', 'withdrawal', 'reinstatement'] as const

export type MovementKind = (typeof movementKinds)[number]

/** Where the money of a movement moved: on the agency's account, by card, both, or nowhere. */
export const ways = ['account', 'card', 'both', 'none'] as const

export type Way = (typeof ways)[number]

/** The kinds of manual bookings: paid by the agency, paid to it, or written off. */
export const bookedWays = ['received', 'paid', 'write_off'] as const

export type BookedWay = (typeof bookedWays)[number]

/** All bookings that settle an account. A correction is made by an update of the service. */
export const settledWays = [...bookedWays, 'correction'] as const

export type SettledWay = (typeof settledWays)[number]

/** The maximum length of a question about a movement, in characters. */
export const longestQuestion = 2000

/** The earliest accepted day of a payment. An earlier one is a typing error, or a program's default date. */
export const earliestPayment = '2020-01-01'

/** The maximum length of a payment’s reference, in characters. */
export const longestReference = 140

/** The maximum length of a bank transfer's reference for a refund, in characters. */
export const longestTransferReference = 100

/**
 * The accounts of the money book, as the insurer keeps it (decision 47). An amount is positive if the insurer has, is owed or spends it, and negative
 * if it owes or earns it. An agency's earnings are the same amounts as `commission_payable` with the other sign.
 */
export const accounts = [
  'insurer_premium',
  'insurer_cost',
  'commission_expense',
  'commission_payable',
  'agency_account',
  'card_clearing',
  'refunds_payable',
  'chargebacks',
  'bank',
  'write_off',
  'stamp_duty',
] as const

export type Account = (typeof accounts)[number]

/** An amount in cents on an account. Each tax code has an account of its own, and one for the tax that the insurer pays itself. */
export type Entry = { account: Account | `tax:${string}`; cents: number }

/** The lines that are charged for a version of a policy. */
export type Lines = { premium: number; taxes: readonly { code: string; amount: number }[]; commission: number }

/** An amount of money and its gateway: the agency's account, or the card network. */
export type GatewayAmount = { gateway: string; amount: number }

export type BookedSale = { lines: Lines; way: GatewayAmount }

export type BookedMovement = {
  /** The price lines of the version before, and of the one after. */
  before: Lines
  after: Lines
  /** True if it exactly reverses the movement before it: an undo or a reinstatement. */
  reverses: boolean
  /** The codes of taxes that the state keeps when a premium goes back. */
  taxesKept: ReadonlySet<string>
  charge: number
  refund: number
  /** The part of an earlier refund that is stopped before it leaves. */
  stopped: number
  /** The part of a charge that no gateway takes. Negative if a change with such a part is undone. */
  waived: number
  ways: readonly GatewayAmount[]
}

const nothing: Lines = { premium: 0, taxes: [], commission: 0 }

export const entriesOfSale = ({ lines, way }: BookedSale): Entry[] => written([...chargedEntries(nothing, lines), paid(way)])

/** Returns the entries of a movement: the differences of the price lines, and the money that moves for them. */
export function entriesOfMovement(movement: BookedMovement): Entry[] {
  const { before, after, charge, refund, stopped, waived, ways } = movement
  const moved =
    charge > 0 ? ways.map(paid) : ways.map(({ gateway, amount }) => (isCard(gateway) ? owed(amount) : paid({ gateway, amount: -amount })))
  // The part that no payment can take back is owed, too.
  const withoutWay = refund === 0 ? 0 : ways.reduce((rest, { amount }) => rest - amount, refund + Math.min(0, waived))
  return written([
    ...chargedEntries(before, after),
    ...keptEntries(movement),
    ...moved,
    owed(withoutWay),
    owed(-stopped),
    { account: 'write_off', cents: waived },
  ])
}

/** Books that an owed refund has left by card. Negative: it came back. */
export const entriesOfRefund = (cents: number): Entry[] => written([owed(-cents), { account: 'card_clearing', cents: -cents }])

/** Books that an owed refund was sent by bank transfer. */
export const entriesOfTransfer = (cents: number): Entry[] => written([owed(-cents), { account: 'bank', cents: -cents }])

/** Books a card payment for which nothing could be sold. It is owed back. */
export const entriesOfUnwanted = (cents: number): Entry[] => written([{ account: 'card_clearing', cents }, owed(cents)])

/** Books that the card network took money back for a cardholder. Negative: it returned some. */
export const entriesOfChargeback = (cents: number): Entry[] =>
  written([
    { account: 'chargebacks', cents },
    { account: 'card_clearing', cents: -cents },
  ])

/** Books that the agency pays what it owes. Negative: it is paid its credit on account. */
export const entriesOfPayment = (cents: number): Entry[] =>
  written([
    { account: 'bank', cents },
    { account: 'agency_account', cents: -cents },
  ])

/** Books that the insurer pays out commission that is not netted. */
export const entriesOfPayout = (cents: number): Entry[] =>
  written([
    { account: 'bank', cents: -cents },
    { account: 'commission_payable', cents },
  ])

/** Books that the insurer gives up an amount that the agency owes. */
export const entriesOfWriteOff = (cents: number): Entry[] =>
  written([
    { account: 'write_off', cents },
    { account: 'agency_account', cents: -cents },
  ])

/** Sets an agency's commission against what it owes. */
export const entriesOfNetting = (commission: number): Entry[] =>
  written([
    { account: 'commission_payable', cents: commission },
    { account: 'agency_account', cents: -commission },
  ])

/** Settles the opening balances of account and commission outside the book. */
export const entriesOfOpening = ({ account, commission }: { account: number; commission: number }): Entry[] =>
  written([
    { account: 'bank', cents: account - commission },
    { account: 'agency_account', cents: -account },
    { account: 'commission_payable', cents: commission },
  ])

/** Withholds a duty from commission, and owes it to the state. Negative: more commission went back than was earned, and the duty with it. */
export const entriesOfDuty = (cents: number): Entry[] =>
  written([
    { account: 'commission_payable', cents },
    { account: 'stamp_duty', cents: -cents },
  ])

function chargedEntries(before: Lines, after: Lines): Entry[] {
  const commission = after.commission - before.commission
  return [
    { account: 'insurer_premium', cents: before.premium - after.premium },
    ...taxCodes(before, after).map((code): Entry => ({ account: `tax:${code}`, cents: -taxRise(before, after, code) })),
    { account: 'commission_payable', cents: -commission },
    { account: 'commission_expense', cents: commission },
  ]
}

/** Books that the insurer pays back a tax that the state keeps. If such a movement is reversed, the tax has been paid by then. */
function keptEntries({ before, after, reverses, taxesKept }: BookedMovement): Entry[] {
  return taxCodes(before, after)
    .filter(code => taxesKept.has(code))
    .flatMap(code => {
      const rise = taxRise(before, after, code)
      const kept = reverses ? -Math.max(0, rise) : Math.max(0, -rise)
      return [
        { account: `tax:${code} kept` as const, cents: -kept },
        { account: 'insurer_cost' as const, cents: kept },
      ]
    })
}

const taxCodes = (before: Lines, after: Lines): string[] => [...new Set([...before.taxes, ...after.taxes].map(({ code }) => code))]

const taxRise = (before: Lines, after: Lines, code: string): number => taxOf(after, code) - taxOf(before, code)

const taxOf = ({ taxes }: Lines, code: string): number => taxes.reduce((sum, tax) => (tax.code === code ? sum + tax.amount : sum), 0)

const isCard = (gateway: string): boolean => gateway !== 'Deferred'

const paid = ({ gateway, amount }: GatewayAmount): Entry => ({
  account: isCard(gateway) ? 'card_clearing' : 'agency_account',
  cents: amount,
})

const owed = (cents: number): Entry => ({ account: 'refunds_payable', cents: -cents })

/** Adds up entries of the same account, and drops those of 0. */
function written(entries: readonly Entry[]): Entry[] {
  const sums = new Map<Entry['account'], number>()
  for (const { account, cents } of entries) sums.set(account, (sums.get(account) ?? 0) + cents)
  return [...sums].flatMap(([account, cents]) => (cents === 0 ? [] : [{ account, cents }]))
}
