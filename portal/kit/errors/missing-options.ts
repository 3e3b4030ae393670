import type { Words } from '#portal/kit/words.tsx'

/** An item of a menu. */
type Item = { label: string; icon?: 'repeat'; disabled?: true; several?: true; onSelect: () => void }
type Query = { data: unknown; isError: boolean; refetch: () => unknown }

/** Returns a menu's items while its choices are loading or could not be loaded; empty once they are there. A click loads them again. */
export function missingItems({ data, isError, refetch }: Query, words: Words): Item[] {
  if (data !== undefined) return []
  if (!isError) return [{ label: words('ui.loading'), disabled: true, onSelect: () => undefined }]
  return [
    { label: words('ui.list_failed'), disabled: true, onSelect: () => undefined },
    { label: words('shell.try_again'), icon: 'repeat', several: true, onSelect: () => void refetch() },
  ]
}

/** Returns the same for a select, as an option that cannot be chosen. */
export const missingOptions = ({ data, isError }: Pick<Query, 'data' | 'isError'>, words: Words) =>
  data === undefined ? [{ value: 'missing', label: words(isError ? 'ui.list_failed' : 'ui.loading'), disabled: true }] : []
