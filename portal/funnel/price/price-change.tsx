import { useEffect } from 'react'
import { useFormat } from '#portal/kit/format.ts'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useFunnel } from '../store.ts'

/**
 * Says that a price differs from the accepted one, and why: the number of travellers, else their ages, as nothing else of the trip changes after
 * step 1. The tariff of a resumed quote may have changed. Step 3 asks for consent.
 */
export function PriceChange({ total, currency }: { total: number | undefined; currency: string }) {
  const { words } = useWords()
  const { cents } = useFormat()
  const { agreedTotal, agreedFor, takenUp, trip } = useFunnel()
  if (total === undefined || agreedTotal === undefined || total === agreedTotal) return null
  const prices = { before: cents(agreedTotal, currency), now: cents(total, currency) }
  const travellers = Number(trip?.travelers)
  const more = agreedFor?.total === agreedTotal ? travellers - agreedFor.travellers : 0
  function title(): string {
    if (takenUp?.mode === 'resume') return words('funnel.take_up.price_changed', prices)
    if (more < 0) return words('funnel.price_fewer', { ...prices, count: -more })
    return more > 0 ? words('funnel.price_more', { ...prices, count: more }) : words('funnel.price_changed', prices)
  }
  return <Callout tone="warning" title={title()} />
}

/** Notes how many travellers have the accepted price, before step 2 can change their number. */
export function useAgreedTravellers(): void {
  const agreedTotal = useFunnel(({ agreedTotal }) => agreedTotal)
  useEffect(() => {
    const { agreedFor, trip } = useFunnel.getState()
    if (agreedTotal === undefined || agreedFor?.total === agreedTotal) return
    useFunnel.setState({ agreedFor: { total: agreedTotal, travellers: Number(trip?.travelers) } })
  }, [agreedTotal])
}
