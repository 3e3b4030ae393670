import type { Locale } from '#common/kit/locales.ts'
import type { ConditionsFile, InformationFile } from '#common/products/documents.ts'
import type { Described } from '#common/products/information.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'

/** The selling unit, as its documents show it. */
export type Seller = Pick<
  UnitSettings,
  'brandName' | 'legalName' | 'taxId' | 'address' | 'contactInfo' | 'accent' | 'logo' | 'timeZone' | 'currency'
>

export type DocumentPerson = {
  holder: boolean
  traveller: boolean
  isCompany: boolean
  /** The full name of a person or a company. */
  name: string
  birthDate: string | null
  documentNumber: string
  hasPassport: boolean
  /** The country where they live; null for the unit's. */
  residence: number | null
  address: string
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

/** Amounts in cents. A tax without a rate is a fixed sum; `share` is the percentage of the premium that it applies to. */
export type DocumentPrice = {
  travel: number
  cancellation: number
  taxes: { label: string; rate: number | null; share: number | null; cents: number }[]
}

/** All facts that a policy's documents show. */
export type DocumentFacts = {
  policy: {
    id: string
    status: string
    version: number
    number: string | null
    locale: Locale
    seller_id: string
    reference: string
    currency: string
    totalCents: number
    /** The moment of the sale; for a saved quote, of its saving. */
    at: Date
    priceValidUntil: Date
    /** True while unknown ages could change the price. */
    provisional: boolean
  }
  seller: Seller
  product: ProductTexts
  trip: {
    startDate: string
    endDate: string
    origin: number
    destinations: number[]
    travellers: number
    costCents: number | null
    reservationDate: string | null
  }
  days: number
  price: DocumentPrice
  people: DocumentPerson[]
  paidBy: 'Deferred' | 'StripeV2' | null
}

/**
 * Reads the facts of a policy's version: of the current one by default, and of the one that was sold for null. The policies feature provides it, as it
 * builds on the documents.
 */
export type ReadFacts = (tx: UnitTx, policyId: string, version?: number | null) => Promise<DocumentFacts | undefined>
