import { useEffect, useState } from 'react'
import { logOnly } from '#portal/kit/log.ts'
import type { OptionList } from './list.tsx'

type List = typeof OptionList
let loaded: List | undefined

export async function loadOptionList(): Promise<List> {
  loaded ??= (await import('./list.tsx')).OptionList
  return loaded
}

/**
 * Returns the list beneath a combobox once it is loaded. React's lazy() would hold it back for 300 ms after its first use, and the
 * combobox would point to options that are not there.
 */
export function useOptionList(wanted: boolean): List | undefined {
  const [list, setList] = useState(() => loaded)
  useEffect(() => {
    if (wanted && !list) loadOptionList().then(it => setList(() => it), logOnly('loading the options'))
  }, [wanted, list])
  return list
}
