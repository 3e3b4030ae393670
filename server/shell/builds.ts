import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '#common/kit/refusals.ts'
import type { RouteRules } from '#common/shell/route-rules.ts'
import { latestBuild } from '#common/shell/schemas.ts'
import type { AppContext } from '#server/kit/app-context.ts'

/** Serves the build list, from which open pages learn of a newer portal and of redirects (spec 7). */
export function serveBuilds(context: AppContext, build: Build, rules: RouteRules): void {
  context.http.get('/builds/latest.json', (_request, reply) => reply.header('cache-control', 'no-cache').send(build))
  context.http.get<{ Params: { file: string } }>('/builds/meta/:file', (request, reply) => {
    if (request.params.file !== `${build.id}.json`) throw new Refusal('request.not_found')
    return reply.header('cache-control', 'no-cache').send({ id: build.id, routeRules: rules })
  })
}

export type Build = { id: string; timestamp: number }

/** Reads the description left by the portal's build, or a placeholder if there is no portal. */
export function readBuild(folder: string): Build {
  const path = join(folder, 'build.json')
  return existsSync(path) ? latestBuild.parse(JSON.parse(readFileSync(path, 'utf8'))) : { id: 'none', timestamp: 0 }
}
