import { expect, onTestFinished, vi } from 'vitest'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import type { TestApp } from '#server/kit/testing.ts'
import { demoPassword } from '#server/session/testing.ts'
import { type Dom, openDom, type TabHistory } from './testing-dom.ts'
import { press, type } from './testing-keys.ts'
import { drawn, Locator, until } from './testing-locator.ts'

/** The portal's page in a document of Node. Its locators and keys have the names of Playwright's. */
export type Screen = Pick<Locator, 'getByRole' | 'getByText' | 'getByLabel' | 'locator'> & {
  browser: Browser
  keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> }
  /** Errors and warnings of the console. The test fails if there are any at the end. */
  problems: string[]
  url(): string
  waitForURL(fits: RegExp | ((url: URL) => boolean)): Promise<void>
  /** Opens another page within this one. */
  goto(path: string): Promise<void>
  goBack(): Promise<void>
  goForward(): Promise<void>
  /** Reloads the page, with the browser's stored data. */
  reload(): Promise<void>
}
/** The language that was chosen before, by default Spanish, which is the browser's and the agency's. */
type Options = { language?: string }

/** Closes the screen that is open. */
let closeOpened: (() => Promise<void>) | undefined

/** Opens a page of the portal until the test ends or opens another. The user is a visitor or a signed-in demo user. */
export async function openScreen(
  app: TestApp | undefined,
  path: string,
  as?: string,
  { language = 'es-ES' }: Options = {},
): Promise<Screen> {
  await closeOpened?.()
  const browser = openBrowser(app, 2)
  if (language !== 'es-ES') browser.cookies.set('i18n_redirected', { value: language, httpOnly: false })
  if (as) await signIn(as)
  const problems: string[] = []
  const history: TabHistory = { entries: [], at: 0 }
  /** The service writes the chosen language into the page. */
  const openAt = (address: string) =>
    openPage(browser, browser.cookies.get('i18n_redirected')?.value ?? language, address, history, problems)
  let open = await openAt(path)
  const body = new Locator(() => [document.body], 'the page')
  const screen: Screen = {
    browser,
    getByRole: (...args) => body.getByRole(...args),
    getByText: (...args) => body.getByText(...args),
    getByLabel: (...args) => body.getByLabel(...args),
    locator: (...args) => body.locator(...args),
    keyboard: {
      async press(key) {
        await drawn()
        press(key)
        await drawn()
      },
      async type(text) {
        await drawn()
        type(text)
        await drawn()
      },
    },
    problems,
    url: () => window.location.href,
    async waitForURL(fits) {
      const isThere = () => (typeof fits === 'function' ? fits(new URL(window.location.href)) : fits.test(window.location.href))
      await until(
        () => isThere() || undefined,
        () => `waited in vain for the address ${String(fits)}; it is ${window.location.href}`,
      )
    },
    async goto(to) {
      await open.router.navigate({ href: to })
    },
    async goBack() {
      await drawn()
      window.history.back()
    },
    async goForward() {
      await drawn()
      window.history.forward()
    },
    async reload() {
      const address = window.location.href.slice(window.location.origin.length)
      await leave(open)
      await browser.reload()
      open = await openAt(address)
      await body.locator('h1').first().waitFor()
    },
  }
  const close = async () => {
    closeOpened = undefined
    open.root?.unmount()
    const { forgetSession } = await import('#portal/session/sign-out.ts')
    forgetSession()
    await leave(open)
    await browser.close()
    expect(problems).toEqual([])
  }
  closeOpened = close
  onTestFinished(() => (closeOpened === close ? close() : undefined))
  await body.locator('h1').first().waitFor()
  return screen
}

type Page = { dom: Dom } & Pick<typeof import('#portal/main.tsx'), 'root' | 'router'>

/** Loads the portal's page as the service sends it: its head has the language, and says if there may be a session. */
async function openPage(browser: Browser, language: string, path: string, history: TabHistory, problems: string[]): Promise<Page> {
  const dom = openDom(browser, [language], path, history, problems)
  const { head, body } = dom.window.document
  const mayHaveSession = [...browser.cookies.values()].some(({ httpOnly }) => httpOnly)
  head.innerHTML = `<meta name="portolan-locale" content="${language}">${mayHaveSession ? '<meta name="portolan-session" content="maybe">' : ''}`
  body.innerHTML = '<div id="portal"></div>'
  return { dom, ...(await import('#portal/main.tsx')) }
}

async function leave({ dom, root }: Page): Promise<void> {
  root?.unmount()
  const { whenWritten } = await import('#portal/kit/kept/encrypted-storage.ts')
  await whenWritten()
  // A part loaded in advance would otherwise begin without a document.
  await vi.dynamicImportSettled()
  await dom.close()
}

/** Begins a session by the calls of the form. */
async function signIn(email: string): Promise<void> {
  const post = (path: string, body: object) =>
    fetch(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }).then(reply => reply.json())
  const { data } = await post('/api/auth/login', { email, password: demoPassword })
  const token = new URLSearchParams(String(data.callback).split('?')[1]).get('token')
  await post('/api/auth/session', { token })
}

type Answer = (init: RequestInit, send: () => Promise<Response>) => Promise<Response | undefined> | Response | undefined

/** Answers the requests of a path instead of the service, unless the reply function passes them on. Returns a function that ends this. */
export function answer({ browser }: Screen, path: string, reply: Answer): () => void {
  const before = browser.connection
  browser.connection = async (send, asked, init) => {
    const isMeant = asked.split('?')[0] === path
    return (isMeant ? await reply(init, send) : undefined) ?? before(send, asked, init)
  }
  return () => {
    browser.connection = before
  }
}

/** Returns the fields of a request that is about to be sent. */
export const fieldsOf = ({ body }: RequestInit): Record<string, unknown> =>
  // Safe: the portal's calls send an object.
  JSON.parse(typeof body === 'string' ? body : '{}') as Record<string, unknown>

/** Loses the requests of a path. Returns a function that ends this. */
export const loseRequests = (page: Screen, path: string): (() => void) =>
  answer(page, path, () => Promise.reject(new TypeError('no connection')))

/** Lets the requests of a path reach the service, and loses its responses. Returns a function that ends this. */
export const loseReplies = (page: Screen, path: string): (() => void) =>
  answer(page, path, async (_, send) => {
    await send()
    throw new TypeError('no connection')
  })

export const refusal = (status: number, error: string, errorMessage: string): Response =>
  Response.json({ code: status, error, errorMessage, requestId: '1' }, { status })

/** Gives the page a clock that stands still until `vi.advanceTimersByTime`. The service shares it. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

/** Goes to step 2 with the essential product, or with the one that is already selected. */
export async function toPeople(page: Screen, { chosen = false } = {}): Promise<void> {
  const row = chosen
    ? page.locator('[data-product][aria-selected=true]')
    : page.locator('[data-product]', { hasText: /ess?en[ctz]/i }).first()
  await row.click()
  await page.keyboard.press('Control+Enter')
}
