import { QueryClient } from '@tanstack/react-query'
import { onReset } from './stores.ts'

/** What was asked of the service lately. The asking itself repeats what may be repeated, so this does not. */
export const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 30_000 } } })

onReset(() => queries.clear())
