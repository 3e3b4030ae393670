/** The kinds of bookings that an agency earns by. All others move money alone. */
export const deedKinds = ['sale', 'change', 'undo', 'cancellation', 'withdrawal', 'reinstatement'] as const

export type DeedKind = (typeof deedKinds)[number]

/** How the money of a deed moved: on the agency's account, by card, both, or not at all. */
export const ways = ['account', 'card', 'both', 'none'] as const

export type Way = (typeof ways)[number]

/** The ways of a booking by a person: paid by the agency, paid to it, or given up. */
export const bookedWays = ['received', 'paid', 'write_off'] as const

export type BookedWay = (typeof bookedWays)[number]

/** The ways of all that settles an account: a correction is an update's. */
export const settledWays = [...bookedWays, 'correction'] as const

export type SettledWay = (typeof settledWays)[number]

/** The most characters of a question about a movement. */
export const longestQuestion = 2000

/** The earliest day of a payment. An earlier one is a slip, or a program's first day. */
export const earliestPayment = '2020-01-01'

/** The most characters of a payment’s reference. */
export const longestReference = 140

/** The longest reference of a refund by bank transfer. */
export const longestTransferReference = 100
