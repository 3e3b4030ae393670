import { createElement, type ReactNode, useEffect, useState } from 'react'
import { logOnly } from '#portal/kit/log.ts'
import type { OptionList as List, Props } from './list.tsx'

let list: typeof List | undefined

export async function loadOptionList(): Promise<void> {
  list ??= (await import('./list.tsx')).OptionList
}

/**
 * Loads the list when it is needed, and returns true once it is loaded. React's lazy() would delay its first use by 300 ms, and the combobox would
 * point to options that are not in the page.
 */
export function useListLoaded(isNeeded: boolean): boolean {
  const [isLoaded, setIsLoaded] = useState(() => list !== undefined)
  useEffect(() => {
    if (isNeeded && !isLoaded) loadOptionList().then(() => setIsLoaded(true), logOnly('loading the options'))
  }, [isNeeded, isLoaded])
  return isLoaded
}

/** The list below a combobox, once it is loaded. */
export const OptionList = (props: Props): ReactNode => list && createElement(list, props)
