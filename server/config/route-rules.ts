import { readFileSync } from 'node:fs'
import type { RouteRules } from '#common/shell/route-rules.ts'
import { routeRules } from '#common/shell/schemas.ts'

/** Reads the setting ROUTE_RULES: the rules themselves, or a file that holds them. Returns a message for the operator if they are invalid. */
export function readRouteRules(setting: string): RouteRules | string {
  const text = setting.trim().startsWith('{') ? setting : contentOf(setting)
  if (text === undefined) return `is neither JSON such as {"/old":{"redirect":"/new"}} nor a readable file`
  try {
    const parsed = routeRules.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    return `${issue?.path.join(' → ')} ${issue?.message}`
  } catch {
    return 'is not well-formed JSON'
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
