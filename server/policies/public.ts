// The exports that other features may use (tools/import-boundaries.test.ts).
export { giveNotice } from './notices/queries.ts'
export type { ReadPossible } from './detail/detail.ts'
export {
  answerLink,
  boughtBy,
  findLink,
  forgetChoice,
  insertLink,
  isAccepted,
  isByClient,
  lockLink,
  noteOnce,
  proofId,
  type QuoteLinkRow,
  quotesOf,
  revokeLinks,
} from './links/queries.ts'
export { mailParams } from './detail/send.ts'
export { addressOf, documentPerson, mailFacts, priceIn, readVersionFacts, scopeIn } from './document-facts.ts'
export { personIdOf, personReply, saleReply } from './reply.ts'
export {
  editionOf,
  eventRow,
  findHolder,
  findPolicy,
  historyOf,
  linesOf,
  lockPolicy,
  moveCount,
  namesOf,
  type NewPerson,
  type PolicyRow,
  recordEvent,
  soldPolicy,
  takeNumbers,
  uploadOf,
  versionOf,
} from './queries.ts'
export { deletedRenewalOf, isOutdated, renewalOf } from './renewal/queries.ts'
export { removeUnsold } from './sale/remove.ts'
export { transferRefund } from './refunds/transfer.ts'
export { clientSecretOf, paidIntent } from './payment/network.ts'
export { cancelOrSettle, lapse, settle } from './payment/settle.ts'
export { problemsOfSale } from './sale/check-request.ts'
export { isPriceOver } from './sale/pricing.ts'
export { saleWaits } from './sale/purchase.ts'
export { register, type RegisterInput } from './sale/register.ts'
export { clean, namesWithSort, personOf, priceLines, type RegisterRequest, searchTextOf, withNumber } from './sale/registration.ts'
export { standInFor } from './sale/seller.ts'
export { demandOffered, sharedIn } from './links/shared.ts'
export type { Made, Sales, Waits } from './sale/sale-context.ts'
export { findStored, type Stored, storedVersion, type StoredVersion, timeZoneOf } from './stored/queries.ts'
export { personInStatement } from '#server/kit/sealed/document-numbers.ts'
export { askedBefore, type Movement, type NewContents, unpaid, writeJudged } from './writing/queries.ts'
export { isVisible, seesCommission } from './visibility.ts'
