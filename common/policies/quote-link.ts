/** How many other quotes a link opens. */
export const mostAlternatives = 2

export const longestMessage = 500

export const declineReasons = ['covered_elsewhere', 'too_dear', 'not_travelling', 'not_wanted', 'other'] as const
export type DeclineReason = (typeof declineReasons)[number]

/** The states of a quote for its client. `taken_out`: sold otherwise; `other_quote`: the client chose another one of the link. */
export const quoteStates = ['open', 'paying', 'bought', 'accepted', 'taken_out', 'other_quote', 'expired', 'gone'] as const
export type QuoteState = (typeof quoteStates)[number]
