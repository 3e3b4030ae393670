import { ageOn } from '#common/kit/dates.ts'
import type { TripDraft } from '#common/quotes/trip.ts'
import { showAges } from '#common/kit/typed/written-ages.ts'

type Person = { name: string; birthDate: string | null }

/**
 * Returns the number of travellers, and their ages if known: by birth date, else as typed in step 1. The party is complete once each has a name and a
 * birth date.
 */
export function partyOf(travellers: readonly Person[], trip: Pick<TripDraft, 'travellers' | 'ages'>, startDate: string) {
  const count = trip.travellers ?? travellers.length
  const ages = Array.from({ length: count }, (_, index) => {
    const born = travellers[index]?.birthDate
    return born ? ageOn(born, startDate) : trip.ages?.[index]
  })
  const isComplete = travellers.length === count && travellers.every(({ name, birthDate }) => name && birthDate)
  return { count, ages: showAges(ages, count), isComplete }
}
