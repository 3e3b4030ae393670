/**
 * True if the user must stay instead of opening this path. While a request runs, the funnel cannot be navigated: going back would abandon
 * the payment. While a card is charged, no page can be left, except by signing out.
 */
export const mustStay = (isLoading: boolean, isCharging: boolean, path: string): boolean =>
  isCharging || (isLoading && path.startsWith('/funnel'))
