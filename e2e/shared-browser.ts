import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { openBrowser } from '#tools/open-browser.ts'
import { aheadMs, shiftDate } from '#tools/suite/at.ts'
import { patience } from '#tools/suite/patience.ts'

let opened: Promise<Browser> | undefined

/** Returns this worker's browser, which ends with its process. A browser that has crashed is replaced. */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await opened?.catch(() => undefined)
  if (browser?.isConnected()) return browser
  opened = openBrowser()
  return opened
}

/** The options that a context keeps for its whole life. */
type ContextOptions = Pick<BrowserContextOptions, 'locale' | 'hasTouch' | 'isMobile' | 'timezoneId'>
/** A context for one user at a time. `release` closes it, or gives it to the next user. */
type Taken = { context: BrowserContext; release: () => Promise<void> }
export type Contexts = { baseURL: string; take(options: ContextOptions, own: boolean): Promise<Taken>; close(): Promise<void> }

/**
 * Returns the contexts of a test file. A released one serves the next user with the same options: it has cached the portal's files, and has no page,
 * cookie or stored data. A script, a route or a clock cannot be removed from a context, so one with any of these is closed.
 */
export function contextsOf(browser: Browser, baseURL: string): Contexts {
  const [open, spent] = [new Set<BrowserContext>(), new Set<BrowserContext>()]
  const idle = new Map<string, BrowserContext[]>()
  return {
    baseURL,
    async take(options, own) {
      const key = JSON.stringify(options)
      const context = (own ? undefined : idle.get(key)?.pop()) ?? (await openContext(options))
      return {
        context,
        release: async () => {
          if (own || spent.has(context)) return close(context)
          await empty(context, baseURL)
          idle.set(key, [...(idle.get(key) ?? []), context])
        },
      }
    },
    async close() {
      await Promise.all([...open].map(close))
    },
  }

  async function openContext(options: ContextOptions): Promise<BrowserContext> {
    const context = await browser.newContext({ baseURL, ...options })
    context.setDefaultTimeout(patience)
    if (aheadMs()) await context.addInitScript(shiftDate, aheadMs())
    open.add(context)
    onCall(context, ['addInitScript', 'exposeBinding', 'exposeFunction', 'grantPermissions', 'route', 'setOffline'], () =>
      spent.add(context),
    )
    onCall(context.clock, ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'], () => spent.add(context))
    return context
  }

  async function close(context: BrowserContext): Promise<void> {
    open.delete(context)
    await context.close()
  }
}

/** Calls `note` before each of these methods. */
function onCall<Of extends object>(of: Of, methods: (keyof Of)[], note: () => void): void {
  for (const method of methods) {
    const original: unknown = of[method]
    if (typeof original !== 'function') throw new Error(`${String(method)} is not a method`)
    Object.assign(of, {
      [method](...args: unknown[]): unknown {
        note()
        return Reflect.apply(original, of, args)
      },
    })
  }
}

/** Closes the pages of a context, and deletes their stored data. The cached files are kept. */
async function empty(context: BrowserContext, origin: string): Promise<void> {
  await Promise.all(context.pages().map(page => page.close()))
  await context.clearCookies()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,cache_storage,service_workers' })
  await page.close()
}
