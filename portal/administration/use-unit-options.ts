import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listUnits, viewUnit } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { useDebounced } from '#portal/kit/use-debounced.ts'
import { ask } from '#portal/kit/ask.ts'
import type { Option } from '#portal/kit/combobox/options.ts'
import { useList } from '#portal/kit/list/use-list.ts'
import { queries } from '#portal/kit/queries.ts'
import { key } from './use-records.ts'

const debounceMs = 150
const optionOf = ({ uuid, brandName, key }: { uuid: string; brandName: string; key: string }): Option => ({
  value: uuid,
  label: brandName,
  detail: key,
})

/**
 * Returns the units that a combobox offers: the first 100 by name, or those that match the typed text. The server searches, as there may be more. If
 * nothing is typed, the chosen unit is an option, too.
 */
export function useUnitOptions(chosen?: string) {
  const [query, setQuery] = useState('')
  const typed = query.trim().slice(0, 200)
  const settled = useDebounced(typed, debounceMs)
  const searchData = typed === '' ? typed : settled
  const { rows, busy, error } = useList(
    listUnits,
    { perPage: 100, ...(searchData ? { searchData } : {}) },
    { key, rows: ({ units }) => units },
  )
  // The units for another text are not the result of this one.
  const isAnswered = rows !== undefined && !busy && searchData !== undefined
  const found = isAnswered ? rows.map(optionOf) : []
  const isMissing = chosen !== undefined && !found.some(({ value }) => value === chosen)
  const { data: known } = useQuery({
    queryKey: [...key, 'option', chosen],
    queryFn: async ({ signal }) => {
      const { uuid, key, facts } = await ask(viewUnit, { uuid: chosen ?? '' }, { signal })
      return optionOf({ uuid, key, brandName: facts.brandName })
    },
    initialData: () => shownBefore(chosen),
    enabled: isMissing && isAnswered,
  })
  return {
    options: known && isMissing && typed === '' ? [known, ...found] : found,
    loading: !isAnswered && !error,
    failed: error !== null,
    onQuery: setQuery,
  }
}

/** Returns the option of a unit that was listed before. */
function shownBefore(uuid: string | undefined): Option | undefined {
  const lists = queries.getQueriesData<ResponseOf<typeof listUnits>>({ queryKey: [...key, listUnits.path] })
  const unit = lists.flatMap(([, list]) => list?.units ?? []).find(unit => unit.uuid === uuid)
  return unit && optionOf(unit)
}
