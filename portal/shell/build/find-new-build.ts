import { fetchJson, thisBuild } from './new-build.ts'

let knownBuild = thisBuild()

/** Returns true if the service has a newer build than this page, once for each build. */
export async function findNewBuild(): Promise<boolean> {
  const latest = await fetchJson<{ id: string }>('/builds/latest.json')
  if (!latest || !knownBuild || latest.id === knownBuild) return false
  knownBuild = latest.id
  return true
}
