import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import type { RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import { readDate } from '#common/kit/dates.ts'
import { alreadyInsured } from '#common/policies/people-calls.ts'
import { leastDocument } from '#common/policies/search.ts'
import { peopleOf, type Step2 } from '#common/policies/step2.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { logOnly } from '#portal/kit/log.ts'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type TripForm, useFunnel } from '../store.ts'

type Insured = ResponseOf<typeof alreadyInsured>['policies']

const debounceMs = 400

/** Names travellers already insured on these days by the same product, once per policy, with its link. It never stops the sale. */
export function InsuredNotice({ productUuid, trip }: { productUuid: string; trip: TripForm }) {
  const { words } = useWords()
  const { date, list } = useFormat()
  const people = useSettled(useFunnel(({ people }) => people))
  const { policies, failed } = useInsured(useMemo(() => requestOf(productUuid, trip, people), [productUuid, trip, people]))
  return (
    <div role="status" className="grid gap-2 empty:hidden">
      {failed && <p className="text-sm text-quiet">{words('people.insured_failed')}</p>}
      {policies.map(({ policyUuid, policyNumber, people, startDate, endDate }) => (
        <Callout
          key={policyUuid}
          tone="warning"
          title={words('funnel.insured', { names: list(people), from: date(startDate), to: date(endDate) })}
        >
          <Link to="/policies" search={{ policy: policyUuid }} target="_blank" className="underline underline-offset-4">
            {words('funnel.insured_open', { number: policyNumber })}
          </Link>
        </Callout>
      ))}
    </div>
  )
}

type Question = RequestSentOf<typeof alreadyInsured>

/** Returns the request about the travellers who can be identified so far. */
function requestOf(productUUID: string, trip: TripForm, people: Step2 | undefined): Question | undefined {
  const [startDate, endDate] = [readDate(trip.startDate), readDate(trip.endDate)]
  if (!people || !startDate || !endDate || endDate < startDate) return undefined
  const { roleFirstUser, users } = peopleOf(people, Number(trip.travelers))
  const known = users.slice(roleFirstUser === 1 ? 0 : 1).flatMap(({ name, middleName, lastName, birthDate, docNumber }) => {
    const born = readDate(birthDate)
    const isKnown = (docNumber ?? '').length >= leastDocument || (name && middleName && born)
    return isKnown ? { name, middleName, lastName, birthDate: born ?? null, docNumber } : []
  })
  return known.length === 0 ? undefined : { productUUID, startDate, endDate, people: known }
}

/** Returns the value as it was when typing last paused. Reading two hundred travellers takes longer than a key may. */
function useSettled<Value extends object | undefined>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), debounceMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

type Found = { policies: Insured; failed: boolean }
const none: Found = { policies: [], failed: false }

/** Keeps the last result until the next one. A superseded request is ignored. */
function useInsured(question: Question | undefined): Found {
  const key = question ? JSON.stringify(question) : ''
  const [found, setFound] = useState(none)
  useEffect(() => {
    if (key === '') return
    const superseded = new AbortController()
    // Safe: the key is a request as JSON.
    ask(alreadyInsured, JSON.parse(key) as Question, { signal: superseded.signal }).then(
      ({ policies }) => setFound({ policies, failed: false }),
      (error: unknown) => {
        if (superseded.signal.aborted) return
        logOnly('looking for policies of the same people')(error)
        setFound({ policies: [], failed: true })
      },
    )
    return () => superseded.abort()
  }, [key])
  return key === '' ? none : found
}
