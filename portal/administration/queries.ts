import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { AnyCall, QuestionSent } from '#common/kit/call.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { queries } from '#portal/kit/queries.ts'
import type { Words } from '#portal/kit/words.tsx'

const room = 'administration'

/** One page of a list. The one before stays until it is there; what is overtaken is given up. */
export function useList<C extends AnyCall>(call: C, question: QuestionSent<C>) {
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [room, call.path, question],
    queryFn: ({ signal }) => ask(call, question, { signal }),
    placeholderData: keepPreviousData,
  })
  return { data: error ? undefined : data, error, busy: isPlaceholderData, again: () => void refetch() }
}

/** One thing, as it is now. */
export function useOne<C extends AnyCall>(call: C, question: QuestionSent<C>) {
  const { data, error, refetch } = useQuery({
    queryKey: [room, call.path, question],
    queryFn: ({ signal }) => ask(call, question, { signal }),
    staleTime: 0,
  })
  return { data, error, again: () => void refetch() }
}

/** Something was changed: whatever shows it asks again. */
export const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: [room] })

export const told = (error: unknown, words: Words): string => (error instanceof Refused ? error.message : words('shell.offline'))
