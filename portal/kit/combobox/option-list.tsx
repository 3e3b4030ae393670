import { createElement, type ReactNode, useEffect, useState } from 'react'
import { logOnly } from '#portal/kit/log.ts'
import type { OptionList as List, Props } from './list.tsx'

let list: typeof List | undefined

export async function loadOptionList(): Promise<void> {
  list ??= (await import('./list.tsx')).OptionList
}

/**
 * Loads the list once it is wanted; true when it is there. React's lazy() would hold it back for 300 ms at its first use, and the
 * combobox would point to options that are not in the page.
 */
export function useListLoaded(wanted: boolean): boolean {
  const [isLoaded, setIsLoaded] = useState(() => list !== undefined)
  useEffect(() => {
    if (wanted && !isLoaded) loadOptionList().then(() => setIsLoaded(true), logOnly('loading the options'))
  }, [wanted, isLoaded])
  return isLoaded
}

/** The list beneath a combobox, once it is loaded. */
export const OptionList = (props: Props): ReactNode => list && createElement(list, props)
