import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSettings } from '#portal/business-unit/settings.ts'
import { queries } from '#portal/kit/queries.ts'

const queryKey = ['unit']
const firstPauseMs = 5000
const longestPauseMs = 5 * 60_000

/** Returns the pause after so many failures in a row, in ms. */
export const pauseAfter = (failures: number): number => Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs)

/**
 * Loads the settings and products that could not be loaded before: at once, at each navigation, and after growing pauses.
 *
 * As a failed query it is also repeated when the connection is back (reconnect.ts).
 */
export function useUnitReload(): void {
  const isOutdated = useSettings(({ isOutdated }) => isOutdated)
  const { href } = useLocation()
  const { refetch } = useQuery(
    {
      queryKey,
      queryFn: async () => {
        const { reloadUnit } = await import('../user-choices.ts')
        await reloadUnit()
        return true
      },
      enabled: isOutdated,
      staleTime: 0,
      refetchInterval: ({ state }) => state.status === 'error' && pauseAfter(state.errorUpdateCount),
    },
    queries,
  )
  useEffect(() => {
    if (isOutdated) void refetch({ cancelRefetch: false })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each navigation asks
  }, [isOutdated, href, refetch])
}

/** Loads them now, as the user asks for it. */
export const reloadUnitNow = (): void => void queries.refetchQueries({ queryKey })
