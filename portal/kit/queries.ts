import { QueryClient } from '@tanstack/react-query'
import { onReset } from './stores.ts'

/** The cache of recent replies. It does not retry, because ask.ts does. */
export const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 30_000 } } })

onReset(() => queries.clear())
