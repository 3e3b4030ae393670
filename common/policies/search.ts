/** The fields by which a list of policies can be sorted. */
export const sortKeys = [
  'policyUuid',
  'policyNumber',
  'productUuid',
  'productName',
  'policyTaker',
  'username',
  'startDate',
  'endDate',
  'createdAt',
  'status',
  'buReference',
  'total',
  'commission',
  'priceValidUntil',
] as const

/** The minimum number of letters for a search of known people. */
export const leastSearched = 3

/** The minimum length of a document number that identifies a person. A shorter one is still being typed. */
export const leastDocument = 5

/** The number of saved quotes that the first page shows. */
export const newestQuotes = 3

/** Returns the request for a list's first page, without filter and in the default order. */
export const newestPage = (statusTypeUuid: string, perPage = 10) => ({
  statusTypeUuid,
  page: 1,
  perPage,
  searchData: null,
  sortCriteria: [{ key: 'createdAt' as const, order: 'desc' as const }],
  dateFrom: null,
  dateTo: null,
})
