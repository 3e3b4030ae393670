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
