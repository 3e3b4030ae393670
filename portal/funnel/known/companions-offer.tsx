import { useDeferredValue, useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react'
import { ageOn, readDate } from '#common/kit/dates.ts'
import { fullName } from '#common/kit/text.ts'
import { readAges } from '#common/kit/typed/travellers.ts'
import { documentNumberSent } from '#common/kit/validators/documents.ts'
import { knownCompanions } from '#common/policies/people-calls.ts'
import { leastDocument } from '#common/policies/search.ts'
import { peopleOf, type Step2 } from '#common/policies/step2.ts'
import { ask } from '#portal/kit/ask.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useFormat } from '#portal/kit/format.ts'
import { logOnly } from '#portal/kit/log.ts'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Imported } from '../import/target.ts'
import type { PeopleForm } from '../people-form.ts'
import { useFunnel } from '../store.ts'
import { type Companion, companionsLeft, withCompanions } from './companions.ts'

type Props = {
  form: RulesForm<PeopleForm>
  maxTravellers: number
  /** Receives the offered names, and a function that adds them all; undefined while there are none. */
  onOffer: (offer: { names: string; add: () => void } | undefined) => void
  onAdd: (imported: Imported, summary: string) => void
}

const debounceMs = 400

/** Offers people who travelled with the policyholder before. A button adds one or all of them, and so does the down arrow in an empty first name. */
export function CompanionsOffer({ form, maxTravellers, onOffer, onAdd }: Props) {
  const { words } = useWords()
  const { list } = useFormat()
  const startDate = useFunnel(({ trip }) => readDate(trip?.startDate))
  const ages = useFunnel(({ trip }) => trip?.ages ?? '')
  const { holder, companions, failed } = useCompanions(maxTravellers)
  const name = holder?.name ?? ''
  const labelOf = (companion: Companion) => {
    const age = companion.birthDate && startDate ? [ageOn(companion.birthDate, startDate)] : []
    return [fullName(companion), ...age].join(' · ')
  }

  function add(added: readonly Companion[]) {
    const imported = withCompanions(form.getValues(), added, maxTravellers, { given: readAges(ages) ?? [], startDate })
    onAdd(imported, words('people.companions.added', { count: imported.count }))
  }
  const addAll = useEffectEvent(() => add(companions))
  const names = companions.map(each => each.name).join(', ')
  useLayoutEffect(() => {
    onOffer(names === '' ? undefined : { names, add: addAll })
    return () => onOffer(undefined)
  }, [onOffer, names])
  if (companions.length === 0)
    return failed ? (
      <p role="status" className="text-sm text-quiet">
        {words('people.companions.failed')}
      </p>
    ) : null
  return (
    <div
      role="group"
      aria-label={words('people.companions.title', { name, count: companions.length })}
      className="flex flex-wrap items-center gap-1"
    >
      <p className="mr-1 text-sm text-quiet">{words('people.companions.title', { name, count: companions.length })}</p>
      {companions.map(companion => (
        <Button
          key={`${fullName(companion)} ${companion.birthDate}`}
          look="quiet"
          icon="plus"
          aria-label={words('people.companions.add', { name: labelOf(companion) })}
          onClick={() => add([companion])}
        >
          {labelOf(companion)}
        </Button>
      ))}
      {companions.length > 1 && (
        <Button look="plain" icon="users" onClick={() => add(companions)}>
          {words('people.companions.add_all', { count: companions.length })}
          <Keys keys="↓" className="max-md:hidden" />
        </Button>
      )}
      <output className="sr-only">{words('people.companions.found', { names: list(companions.map(fullName)) })}</output>
    </div>
  )
}

/** Returns the policyholder, and the companions for whom the trip has room. Reads the travellers only if there are any companions. */
function useCompanions(maxTravellers: number) {
  const { people: found, failed } = useFound(useFunnel(({ people }) => numberOf(people)))
  // Deferred until the key is rendered, as it reads all travellers.
  const people = useDeferredValue(useFunnel(({ people }) => (found.length > 0 ? people : undefined)))
  const travelers = useFunnel(({ trip }) => Number(trip?.travelers ?? 1))
  return useMemo(() => {
    const { users } = people ? peopleOf(people, travelers) : { users: [] }
    const room = maxTravellers - users.slice(users.length - travelers).filter(({ name, middleName }) => name || middleName).length
    return { holder: users[0], failed, companions: companionsLeft(found, users).slice(0, Math.max(0, room)) }
  }, [people, travelers, found, failed, maxTravellers])
}

/** Returns the policyholder's document number; empty for a company, and while it is being typed. */
function numberOf(people: Step2 | undefined): string {
  const [type, own, other] = [people?.policyHolderType.id, people?.documentNumber, people?.policyHolderDocumentNumber]
  const number = documentNumberSent((type === 1 ? own : type === 2 ? other : '') ?? '')
  return number.length < leastDocument ? '' : number
}

type Found = { docNumber: string; people: readonly Companion[]; failed: boolean }
const none: Found = { docNumber: '', people: [], failed: false }

/** Asks once typing pauses. A superseded request is ignored. */
function useFound(docNumber: string): Found {
  const [found, setFound] = useState(none)
  useEffect(() => {
    if (docNumber === '') return
    const superseded = new AbortController()
    const timer = setTimeout(() => {
      ask(knownCompanions, { docNumber }, { signal: superseded.signal }).then(
        ({ people }) => setFound({ docNumber, people, failed: false }),
        (error: unknown) => {
          if (superseded.signal.aborted) return
          logOnly('looking for companions')(error)
          setFound({ docNumber, people: [], failed: true })
        },
      )
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      superseded.abort()
    }
  }, [docNumber])
  return found.docNumber === docNumber ? found : none
}
