import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSettings } from '#portal/business-unit/settings.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Page } from '#portal/kit/page/page.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { queries } from '#portal/kit/queries.ts'

const queryKey = ['unit']
const firstPauseMs = 5000
const longestPauseMs = 5 * 60_000

/** Returns the pause after a number of failures in a row, in ms. */
export const pauseAfter = (failures: number): number => Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs)

const unitQuery = queryOptions({
  queryKey,
  queryFn: async () => {
    const { reloadUnit } = await import('../user-choices.ts')
    await reloadUnit()
    return true
  },
  staleTime: 0,
  refetchInterval: ({ state }) => state.status === 'error' && pauseAfter(state.errorUpdateCount),
})

/**
 * Loads the settings and products that could not be loaded before: at once, at each navigation, and at growing intervals. Without any settings it
 * shows the page that says so. Like a failed query it is also repeated when the connection is back (reconnect.ts).
 */
export function UnitReload() {
  const { href } = useLocation()
  const { refetch } = useQuery(unitQuery, queries)
  useEffect(() => {
    void refetch({ cancelRefetch: false })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each navigation asks
  }, [href, refetch])
  const isMissing = useSettings(({ settings }) => !settings)
  return isMissing && <UnitPage />
}

/** Loads them at once, at the user's request. */
const reloadNow = (): void => void queries.refetchQueries({ queryKey })

/** Replaces every page until the settings and products are loaded, and then opens the page. */
function UnitPage() {
  const { words } = useWords()
  const router = useRouter()
  const { error } = useQuery({ ...unitQuery, enabled: false }, queries)
  // The page may have preloaded something without them.
  useEffect(() => useSettings.subscribe(({ settings }, before) => settings && !before.settings && void router.invalidate()), [router])
  return <Page title={words('lost.unit_missing')}>{error && <LoadError error={error} retry={reloadNow} />}</Page>
}
