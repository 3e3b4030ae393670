import type { Control } from './period.tsx'

/** A line of a bordereau's sum. `kept` is the tax that the state keeps and the insurer pays, beside the line's amount. */
export type MakeupLine = { item: 'premium' | 'gross' | 'commission' | 'net' | { tax: string }; amount: number; kept: number | null }

/** Returns the net premium and the taxes, which make the gross premium, and the commission. The rest is the insurer's. */
export function makeupOf({ premium, taxes, gross, commission, net }: Control): MakeupLine[] {
  const keptInAll = taxes.reduce((sum, { kept }) => sum + kept, 0)
  return [
    { item: 'premium', amount: premium, kept: null },
    ...taxes.map(({ code, amount, kept }) => ({ item: { tax: code }, amount, kept })),
    { item: 'gross', amount: gross, kept: Number(keptInAll.toFixed(2)) },
    { item: 'commission', amount: -commission, kept: null },
    { item: 'net', amount: net, kept: null },
  ]
}
