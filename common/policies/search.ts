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
] as const

/** The least number of letters with which known people are searched. */
export const leastSearched = 3

/** Returns the request for a list's first page, as it is shown before anyone filters or sorts it. */
export const newestPage = (statusTypeUuid: string) => ({
  statusTypeUuid,
  page: 1,
  perPage: 10,
  searchData: null,
  sortCriteria: [{ key: 'createdAt' as const, order: 'desc' as const }],
  dateFrom: null,
  dateTo: null,
})
