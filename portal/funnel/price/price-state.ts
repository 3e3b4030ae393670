/** The service's response to a price: the same total, or a message why not. Undefined while it is asked, or cannot be. */
export type Confirmation = 'same' | { message: string } | undefined

/**
 * Returns the one thing to say about a price.
 *
 * A price that unknown ages may still change is provisional, also when the service has found the same. A price that it refuses or finds
 * otherwise is neither: its message says so. Any other price is not called confirmed before the service has found the same.
 */
export function priceState(
  price: { provisional: boolean } | undefined,
  confirmation: Confirmation,
): 'provisional' | 'confirmed' | undefined {
  if (!price || typeof confirmation === 'object') return undefined
  if (price.provisional) return 'provisional'
  return confirmation === 'same' ? 'confirmed' : undefined
}
