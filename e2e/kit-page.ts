import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { build, preview } from 'vite'
import { sharedBrowser } from './shared-browser.ts'

const policy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'"

export type KitPage = { browser: Browser; origin: string; stop(): Promise<void> }

/** Serves the components of /dev/ui under the server's content security policy. The production build omits that page, so this builds its own. */
export async function openKitPage(): Promise<KitPage> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-ui-'))
  const configFile = join(import.meta.dirname, '../vite.config.ts')
  await build({ configFile, logLevel: 'error', build: { outDir: folder, minify: false } })
  const server = await preview({
    configFile,
    build: { outDir: folder },
    preview: { port: 0, host: '127.0.0.1', headers: { 'content-security-policy': policy } },
  })
  const browser = await sharedBrowser()
  return {
    browser,
    origin: server.resolvedUrls?.local[0] ?? '',
    async stop() {
      await server.close()
      await rm(folder, { recursive: true })
    },
  }
}
