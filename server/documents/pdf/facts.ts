import type { Locale } from '#common/kit/locales.ts'
import type { ConditionsFile, InformationFile } from '#common/products/documents.ts'
import type { Described } from '#common/products/information.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'

/** The unit that sells, as its papers show it. */
export type Seller = Pick<
  UnitSettings,
  'brandName' | 'legalName' | 'taxId' | 'address' | 'contactInfo' | 'accent' | 'logo' | 'timeZone' | 'currency'
>

export type DocumentPerson = {
  holder: boolean
  traveller: boolean
  isCompany: boolean
  /** Of a person or a company, whole. */
  name: string
  birthDate: string | null
  documentNumber: string
  address: string
}

/** A product with the texts of its documents, in the versions that it was sold by, and the hashes that name them. */
export type ProductTexts = {
  id: string
  hash: string
  commonHash: string
  described: Described
  information: InformationFile
  conditions: ConditionsFile
}

/** Cents. A tax without a rate is a sum of its own kind; a share is the percent of the premium that it is of. */
export type DocumentPrice = {
  travel: number
  cancellation: number
  taxes: { label: string; rate: number | null; share: number | null; cents: number }[]
}

/** All that a policy's papers tell. */
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
    /** When it was sold; of a budget, when it was saved. */
    at: Date
    priceValidUntil: Date
    /** Ages that are not known yet could change the price. */
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

/** The policies' room tells them; documents are below it. */
export type ReadFacts = (tx: UnitTx, policyId: string) => Promise<DocumentFacts | undefined>
