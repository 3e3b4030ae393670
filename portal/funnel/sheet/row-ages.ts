import { readAges } from '#common/kit/typed/ages.ts'
import { writeAges } from '#common/kit/typed/written-ages.ts'
import { useFunnel } from '../store.ts'

/** Changes the ages of step 1 as rows of travellers are removed, put back or moved, so that everyone keeps their own. */
export function changeAges(change: (ages: (number | null)[]) => unknown): void {
  const { trip } = useFunnel.getState()
  const ages = readAges(trip?.ages ?? '')
  if (!trip || !ages?.length) return
  const all = Array.from({ length: Math.max(ages.length, Number(trip.travelers)) }, (_, index) => ages[index] ?? null)
  change(all)
  useFunnel.setState({ trip: { ...trip, ages: writeAges(all) } })
}
