import type { Locale } from '#common/kit/locales.ts'
import type { ConditionsFile, InformationFile } from '#common/products/documents.ts'
import type { Party } from '#common/people/person.ts'
import type { Described } from '#common/products/information.ts'
import type { Price } from '#common/quotes/price-lines.ts'
import type { Trip } from '#common/quotes/trip.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'

/** The selling unit, as its documents show it. */
export type Seller = Pick<
  UnitSettings,
  'brandName' | 'legalName' | 'taxId' | 'address' | 'contactInfo' | 'accent' | 'logo' | 'timeZone' | 'currency'
>

export type DocumentPerson = {
  /** The same in all versions of a policy. */
  id: string
  holder: boolean
  traveller: boolean
  isCompany: boolean
  /** The full name of a person or a company. */
  name: string
  birthDate: string | null
  documentNumber: string
  hasPassport: boolean
  address: string
  /** All facts, as they are stored. */
  facts: Party
}

/** A product with its documents' texts, in the versions of the sale, and the hashes that identify them. */
export type ProductTexts = {
  id: string
  hash: string
  commonHash: string
  described: Described
  information: InformationFile
  conditions: ConditionsFile
}

/** The facts of a policy's version that its documents show. */
export type VersionFacts = {
  policy: {
    id: string
    status: string
    version: number
    /** The version of the sale; null for a saved quote. */
    sold_version: number | null
    number: string | null
    locale: Locale
    seller_id: string
    reference: string
    currency: string
    totalCents: number
    /** The moment of the version: of the sale, of the step after it, or of a quote's saving. */
    at: Date
    /** The moment of the sale, or of a quote's saving. */
    soldAt: Date
    /** When the policy ended, if it has. */
    endedAt: Date | null
    priceValidUntil: Date
    /** True while unknown ages could change the price. */
    provisional: boolean
  }
  seller: Seller
  product: ProductTexts
  trip: Trip & { travellers: number }
  days: number
  price: Price
  people: DocumentPerson[]
  /** The client's demands and needs, if the step to this version has changed them. */
  needs: string | null
  /** The way of the sale's payment. */
  paidBy: string | null
}

/** The step of a sold policy that led to a version, with its money in cents. */
type MovementFacts = {
  kind: 'change' | 'undo' | 'cancellation' | 'withdrawal' | 'reinstatement'
  before: VersionFacts
  /** The certificate before this version, by its edition and moment. */
  replaces: { edition: number; at: Date } | undefined
  charge: number
  /** The money that comes back. */
  refund: number
  /** Until when the refund is back. */
  refundDue: { days: number; by: string }
  stopped: number
  kept: number
  /** The part of the charge that is not paid. Negative: the part of a refund that was never paid, and so does not come back. */
  waived: number
  /** The ways of the money. */
  gateways: string[]
  /** More cancellation cover begins then. */
  waitUntil: Date | null
  /** The moments at which more cancellation cover begins, of this step and of earlier ones that still waited at its time. */
  waits: Date[]
  /** When people joined whose cover began after the start of the trip, by their ids. */
  joined: ReadonlyMap<string, Date>
  /** The booking day by which the sale was judged. A later one belongs to an addition. */
  reservedForSale: string | null
  /** The last covered day of a policy that ended after its first. */
  coverEnds: string | null
  /** The name of the client who stated the withdrawal. */
  by: string
}

/** All facts that a policy's documents show. Without a movement, they are those of the sale or of a saved quote. */
export type DocumentFacts = VersionFacts & { movement?: MovementFacts | undefined }

/** Counts the versions of a sold policy as its documents do: the sale's is 1. */
export const editionOf = ({ version, sold_version: sold }: { version: number; sold_version: number | null }): number =>
  version - (sold ?? version) + 1

/**
 * Reads the facts of a policy's version: of the current one by default, and of the one that was sold for null. The features of
 * policies and their changes provide it, as they build on the documents.
 */
export type ReadFacts = (tx: UnitTx, policyId: string, version?: number | null) => Promise<DocumentFacts | undefined>
