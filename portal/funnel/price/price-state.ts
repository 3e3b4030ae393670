/** The service's result for a price: the same total, or a message why not. Undefined while it is requested, or cannot be. */
export type Confirmation = 'same' | { message: string } | undefined

/**
 * Returns the one statement to show about a price. A price that unknown ages may change is provisional, even if the service returned the same. For a
 * price that the service refuses or changes, it is the message. Any other price is confirmed only after the service has returned the same.
 */
export function priceState(
  price: { provisional: boolean } | undefined,
  confirmation: Confirmation,
): 'provisional' | 'confirmed' | undefined {
  if (!price || typeof confirmation === 'object') return undefined
  if (price.provisional) return 'provisional'
  return confirmation === 'same' ? 'confirmed' : undefined
}
