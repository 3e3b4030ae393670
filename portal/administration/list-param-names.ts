/** The administration's URL parameters. They have their own file, since the router needs them without the page. */
export const paramNames = ['tab', 'page', 'search', 'state', 'unit', 'open', 'what', 'object', 'from', 'to', 'work', 'part'] as const
