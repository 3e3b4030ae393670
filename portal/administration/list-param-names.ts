/** What of its address the page reads; apart, so that the router need not have the page to know them. */
export const lookNames = ['tab', 'page', 'search', 'state', 'unit', 'open', 'what', 'object', 'from', 'to', 'work'] as const
