import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Page } from 'playwright-core'
import { type RunnerTestCase, TestRunner } from 'vitest'
import { root } from '#tools/processes.ts'
import { screenshotsOf, type Trail } from '#tools/suite/failures.ts'

const shown = 12

/** Keeps the last calls and console lines of a page. If the running test fails, its report gets them, with a screenshot. */
export function followPage(page: Page): void {
  const test = TestRunner.getCurrentTest<RunnerTestCase | undefined>()
  if (!test) return
  let lines: string[] = []
  const note = (line: string) => {
    lines = [...lines, line.slice(0, 200)].slice(-shown)
  }
  page.on('response', reply => isCall(reply.url()) && note(`${reply.status()} ${reply.request().method()} ${pathOf(reply.url())}`))
  page.on('requestfailed', request => isCall(request.url()) && note(`failed ${request.method()} ${pathOf(request.url())}`))
  page.on('console', message => note(`console ${message.type()}: ${message.text()}`))
  page.on('pageerror', error => note(`error: ${error.message}`))
  test.context.onTestFailed(async () => {
    const trail: Trail = (test.meta.trail ??= [])
    trail.push(`at ${page.url()}`, ...lines)
    if (page.isClosed()) return
    const folder = screenshotsOf(test.file.projectName ?? 'e2e')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `${test.id}-${trail.length}.png`)
    await page.screenshot({ path, timeout: 10_000 }).catch((error: unknown) => trail.push(`no screenshot: ${String(error)}`))
    trail.push(`screenshot: ${relative(root, path)}`)
  })
}

const isCall = (url: string): boolean => /\/api\/|_payload\.json/.test(url)
const pathOf = (url: string): string => new URL(url).pathname
