import type { Fixed } from '#common/changes/asked/phases.ts'
import type { PersonField, PersonFieldsWhere } from '#common/people/person.ts'

/** The messages of named things: parts of a policy, steps, ways and reasons. */

export const canLabels = {
  change: 'changes.can_change',
  cancel: 'changes.can_cancel',
  withdraw: 'changes.can_withdraw',
  reinstate: 'changes.can_reinstate',
  undo: 'changes.can_undo',
  renew: 'changes.can_renew',
} as const

/** Why the cover can no longer change, and what still can. */
export const fixedLabels = {
  'change.ended': 'changes.fixed_ended',
  'change.claimed': 'changes.fixed_claimed',
  'change.started': 'changes.fixed_started',
} as const satisfies Record<Fixed, string>

export const cannotLabels = {
  ...fixedLabels,
  'change.pending': 'refusal.change.pending',
  'cancel.ended': 'refusal.cancel.ended',
  'cancel.claimed': 'refusal.cancel.claimed',
  'cancel.started': 'refusal.cancel.started',
  'withdraw.claimed': 'refusal.withdraw.claimed',
  'reinstate.withdrawn': 'refusal.reinstate.withdrawn',
  'reinstate.started': 'refusal.reinstate.started',
  'reinstate.late': 'refusal.reinstate.late',
} as const

export const titleLabels = {
  change: 'changes.title_change',
  cancel: 'changes.title_cancel',
  withdraw: 'changes.title_withdraw',
  reinstate: 'changes.title_reinstate',
} as const

export const groupLabels = {
  dates: 'changes.group_dates',
  places: 'changes.group_places',
  amount: 'changes.group_amount',
  people: 'changes.group_people',
  holder: 'changes.group_holder',
  other: 'changes.group_other',
} as const

/** The facts of a person in which versions are compared. The parts of a name count as one. */
export type ComparedFact = 'name' | Exclude<PersonField, PersonFieldsWhere<'line', 'name'>>

const factLabels = {
  name: 'changes.name',
  birthDate: 'changes.birthDate',
  docNumber: 'changes.docNumber',
  documentKind: 'changes.documentKind',
  email: 'changes.email',
  phonePrefix: 'changes.phonePrefix',
  phoneNumber: 'changes.phoneNumber',
  address: 'changes.address',
  zipCode: 'changes.zipCode',
  city: 'changes.city',
  state: 'changes.state',
  residenceCountryId: 'changes.residence',
} as const satisfies Record<ComparedFact, string>

// Safe: these are the keys of the record.
export const comparedFacts = Object.keys(factLabels) as ComparedFact[]

export const fieldLabels = {
  startDate: 'changes.startDate',
  endDate: 'changes.endDate',
  origin: 'changes.origin',
  destinations: 'changes.destinations',
  insurancedAmount: 'changes.insurancedAmount',
  reservationDate: 'changes.reservationDate',
  ...factLabels,
  holder: 'changes.holder',
  person: 'changes.person',
  premium: 'changes.premium',
  total: 'changes.total',
} as const

export const personLabels = {
  mended: 'changes.person_mended',
  joins: 'changes.person_joins',
  leaves: 'changes.person_leaves',
} as const

export const documentLabels = {
  supplement: 'changes.paper_supplement',
  certificate: 'changes.paper_certificate',
  receipt: 'changes.paper_receipt',
  credit_note: 'changes.paper_credit_note',
  cancellation: 'changes.paper_cancellation',
  withdrawal: 'changes.paper_withdrawal',
} as const

export const cardLabels = {
  in_an_hour: 'changes.back_card_in_an_hour',
  now: 'changes.back_card_now',
} as const

export const keptLabels = {
  started: 'changes.kept_started',
  free_look_over: 'changes.kept_free_look_over',
} as const

export const noRightLabels = {
  short: 'changes.no_right_short',
  counter: 'changes.no_right_counter',
  company: 'changes.no_right_company',
  late: 'changes.no_right_late',
  performed: 'changes.no_right_performed',
} as const

export const reasonLabels = {
  trip_cancelled: 'changes.reason_trip_cancelled',
  visa_refused: 'changes.reason_visa_refused',
  duplicate: 'changes.reason_duplicate',
  price: 'changes.reason_price',
  error: 'changes.reason_error',
  other: 'changes.reason_other',
  client: 'changes.reason_client',
  carrier: 'changes.reason_carrier',
  agency_error: 'changes.reason_agency_error',
} as const

export const stepLabels = {
  sale: 'changes.step_sale',
  change: 'changes.step_change',
  undo: 'changes.step_undo',
  cancellation: 'changes.step_cancellation',
  withdrawal: 'changes.step_withdrawal',
  reinstatement: 'changes.step_reinstatement',
} as const

/** The message after each kind of step. */
export const doneLabels = {
  change: 'changes.done_change',
  undo: 'changes.undone',
  cancellation: 'changes.done_cancellation',
  withdrawal: 'changes.done_withdrawal',
  reinstatement: 'changes.done_reinstatement',
} as const

/** The labels of the last button, with and without a refund. */
export const endLabels = {
  cancel: ['changes.do_cancel', 'changes.do_cancel_refund'],
  withdraw: ['changes.do_withdraw', 'changes.do_withdraw_refund'],
  sell: ['changes.do_sell', 'changes.do_sell_refund'],
} as const

const bases = {
  undo: 'changes.basis_undo',
  before_departure: 'changes.basis_before_departure',
  free_look: 'changes.basis_free_look',
  duplicate: 'changes.basis_duplicate',
  unused_days: 'changes.basis_unused_days',
  goodwill: 'changes.basis_goodwill',
  FR30: 'changes.basis_FR30',
  PT30: 'changes.basis_PT30',
  UK14: 'changes.basis_UK14',
  EU14: 'changes.basis_EU14',
} as const

/** Returns the label of a key from the service; undefined for one that this version does not know. */
export const labelIn = <Label extends string>(labels: Readonly<Record<string, Label>>, key: string | null): Label | undefined =>
  key !== null && Object.hasOwn(labels, key) ? labels[key] : undefined

/** Returns the name of a way to end a policy. A right that a country adds later has a general name. */
export const basisIn = (basis: string) => labelIn(bases, basis) ?? 'changes.basis_right'
