import { useFormat } from '#portal/kit/format.ts'

/** Returns a function that formats a difference in cents with its sign. */
export function useSigned(currency: string): (cents: number) => string {
  const { cents } = useFormat()
  return amount => `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${cents(Math.abs(amount), currency)}`
}

/** Returns the time of day in the format of `useFormat`, for something that ends today. */
export const timeOfDay = (moment: string): string => moment.slice(-5)
