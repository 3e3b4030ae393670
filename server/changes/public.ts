// The exports that other features may use (tools/import-boundaries.test.ts).
export { refuseWith, writeMovement } from './movement.ts'
export { findLoaded, loadPolicy, type Loaded, reservedForSale, soldIn } from './load.ts'
export { endingStep, makeChange } from './make.ts'
export { beginToPay, declineOffer, reportPaid } from './offer/answer.ts'
export { judged } from './previews.ts'
export { offerIn, soldStateOf } from './reply.ts'
export { movementOfWithdrawal, lastOfferOf, type OpenChangeRow } from './queries.ts'
export { stepIn } from './payment/open.ts'
