/** The parameters of its URL that the administration reads; in a file of their own, since the router needs them without the page. */
export const paramNames = ['tab', 'page', 'search', 'state', 'unit', 'open', 'what', 'object', 'from', 'to', 'work'] as const
