import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react'
import { logOnly } from '#portal/kit/log.ts'

/**
 * Makes a component whose code loads when it is first shown, or earlier by the second function. Until then it shows `meanwhile`. React's lazy() would
 * delay its first use by 300 ms, even if its code is loaded.
 */
export function later<P extends object>(importIt: () => Promise<ComponentType<P>>, meanwhile?: ReactNode) {
  let loaded: ComponentType<P> | undefined
  async function load(): Promise<void> {
    loaded ??= await importIt()
  }
  function Later(props: P): ReactNode {
    const [, setIsLoaded] = useState(false)
    const [failure, setFailure] = useState<{ error: unknown }>()
    useEffect(() => {
      // It may have been loaded since this was rendered.
      load().then(
        () => setIsLoaded(true),
        (error: unknown) => setFailure({ error }),
      )
    }, [])
    if (failure) throw failure.error
    return loaded ? createElement(loaded, props) : meanwhile
  }
  /** Loads the code early. A failure is thrown when the component is shown, unless it can then be loaded after all. */
  const prepare = () => void load().catch(logOnly('loading a part of the page'))
  return [Later, prepare] as const
}
