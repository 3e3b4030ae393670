import { useWaitWord } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** An item of a menu. */
type Item = { label: string; icon?: 'repeat'; disabled?: true; several?: true; onSelect: () => void }
type Query = { data: unknown; isError: boolean; refetch: () => unknown }

/** Returns a menu's items while its choices are loading or could not be loaded; empty once they are there. A click loads them again. */
export function useMissingItems({ data, isError, refetch }: Query): Item[] {
  const { words } = useWords()
  const wait = useWaitWord()
  if (data !== undefined) return []
  if (!isError) return [{ label: wait, disabled: true, onSelect: () => undefined }]
  return [
    { label: words('ui.list_failed'), disabled: true, onSelect: () => undefined },
    { label: words('shell.try_again'), icon: 'repeat', several: true, onSelect: () => void refetch() },
  ]
}

/** Returns the same for a select, as an option that cannot be chosen. */
export function useMissingOptions({ data, isError }: Pick<Query, 'data' | 'isError'>) {
  const { words } = useWords()
  const wait = useWaitWord()
  return data === undefined ? [{ value: 'missing', label: isError ? words('ui.list_failed') : wait, disabled: true }] : []
}
