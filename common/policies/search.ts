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
