/**
 * True if the user must not open this path now. While a request runs, the funnel cannot be navigated, as going back would abandon the payment. While
 * a card is charged, no page can be left, except by signing out.
 */
export const mustStay = (isLoading: boolean, isCharging: boolean, path: string): boolean =>
  isCharging || (isLoading && path.startsWith('/funnel'))
