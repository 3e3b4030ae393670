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

/** Returns the request for a list's first page, without filter and in the default order. */
export const newestPage = (statusTypeUuid: string) => ({
  statusTypeUuid,
  page: 1,
  perPage: 10,
  searchData: null,
  sortCriteria: [{ key: 'createdAt' as const, order: 'desc' as const }],
  dateFrom: null,
  dateTo: null,
})
