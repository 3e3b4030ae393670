import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, vi } from 'vitest'
import type { TestApp } from '#server/kit/testing.ts'

type Cookie = { value: string; httpOnly: boolean }
type Send = () => Promise<Response>
type WebStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** One tab of the browser. `run` runs work, and all that follows from it, in this tab. */
type Tab = { window: Page; run<Result>(work: () => Result): Result }

/** A browser without pages: storage, cookies, tabs and the connection to the service, as far as the portal's state machines use them. */
export type Browser = {
  localStorage: WebStorage
  cookies: Map<string, Cookie>
  tab: Tab
  /** Reloads the page of the first tab: its modules and listeners are gone, its storage is kept. */
  reload(): Promise<void>
  /** Opens another tab, to which modules imported from now on belong. */
  anotherTab(): Tab
  /** The connection between portal and service. A test loses or delays requests and responses here. */
  connection: (send: Send, path: string, init: RequestInit) => Promise<Response>
  /** The requested paths, in order. */
  asked: string[]
  close(): Promise<void>
}

const nodeNavigator = navigator
const nodeFetch = fetch
const NodeEvent = Event
const context = new AsyncLocalStorage<Page>()
export const origin = 'http://portal.example'

/** The real timer, as a test may stop the clock. */
const delay = setTimeout

/**
 * Opens a browser with one tab and gives its globals to the code under test. Modules of earlier tests are forgotten. With a latency, each response
 * comes after the work that the page postponed to its next task, as over a network.
 */
export function openBrowser(app?: TestApp, latencyMs = 0): Browser {
  vi.resetModules()
  const pages: Page[] = []
  const cookies = new Map<string, Cookie>()
  const name = `browser ${++browsers} `
  const current = () => context.getStore() ?? pages[0]
  const localStorage = openStorage((key, newValue) => {
    const writer = current()
    const others = pages.filter(page => page !== writer)
    for (const page of others)
      context.run(page, () => page.dispatchEvent(Object.assign(new NodeEvent('storage'), { key, newValue, storageArea: localStorage })))
  })
  const openTab = (): Tab => {
    const page = new Page(localStorage, cookies, openLocks(name))
    pages.push(page)
    return tabOf(page)
  }
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const reply = await deliver(app, cookies, path, init)
    return latencyMs > 0 ? new Promise(resolve => delay(() => resolve(reply), latencyMs)) : reply
  }
  const browser: Browser = {
    localStorage,
    cookies,
    tab: openTab(),
    async reload() {
      await pages[0]?.navigator.locks.close()
      vi.resetModules()
      const page = new Page(localStorage, cookies, openLocks(name))
      const before = pages[0]
      if (before) Object.assign(page, { sessionStorage: before.sessionStorage })
      pages[0] = page
      browser.tab = tabOf(page)
    },
    anotherTab() {
      vi.resetModules()
      return openTab()
    },
    connection: send => send(),
    asked: [],
    async close() {
      restore()
      for (const page of pages) await page.navigator.locks.close()
    },
  }
  const restore = defineGlobals({
    window: current,
    self: current,
    ...Object.fromEntries(
      (['document', 'localStorage', 'sessionStorage', 'location', 'navigator', 'isSecureContext'] as const).map(name => [
        name,
        () => current()?.[name],
      ]),
    ),
    XMLHttpRequest: () => FormRequest,
    fetch:
      () =>
      (path: string, init: RequestInit = {}) => {
        // The portal calls only its own service; the service and the tests call any other URL.
        if (!path.startsWith('/')) return nodeFetch(path, init)
        browser.asked.push(path)
        return untilAborted(
          init.signal,
          browser.connection(() => send(path, init), path, init),
        )
      },
  })
  return browser
}

/** Imports a module that reads its page as it is loaded, in a browser for the tests of a file. */
export function importInPage<Module>(load: () => Promise<Module>): Promise<Module> {
  const browser = openBrowser()
  afterAll(() => browser.close())
  return load()
}

const tabOf = (page: Page): Tab => ({ window: page, run: work => context.run(page, work) })

let browsers = 0

/** Returns one page's locks. Only the tabs of one browser share them, though all tests of the process share Node's locks. */
function openLocks(browser: string) {
  const { locks } = nodeNavigator
  const gone = Promise.withResolvers<void>()
  const requests: Promise<unknown>[] = []
  return {
    request(name: string, ...rest: [LockGrantedCallback<unknown>] | [LockOptions, LockGrantedCallback<unknown>]) {
      const [options, work] = rest.length === 2 ? rest : [{}, rest[0]]
      const request = locks.request(browser + name, options, lock => Promise.race([work(lock), gone.promise]))
      requests.push(request)
      return request
    },
    async query() {
      const { held = [] } = await locks.query()
      return { held: held.flatMap(({ name }) => (name?.startsWith(browser) ? [{ name: name.slice(browser.length) }] : [])) }
    },
    /** Releases all locks, as a closed page does. */
    async close() {
      gone.resolve()
      await Promise.allSettled(requests)
    },
  }
}

/** The browser as one page sees it. */
class Page extends EventTarget {
  readonly sessionStorage = openStorage(() => {})
  readonly isSecureContext = true
  readonly navigator: { onLine: boolean; languages: string[]; locks: ReturnType<typeof openLocks> }
  readonly document: object
  /** The URLs for which the page was left by a full page load, and `reload`. */
  readonly left: string[] = []
  readonly location = {
    origin,
    protocol: 'http:',
    pathname: '/',
    search: '',
    assign: (to: string) => void this.left.push(to),
    replace: (to: string) => void this.left.push(to),
    reload: () => void this.left.push('reload'),
  }
  /** The page's elements by their selector, such as meta elements in its head (server/shell/portal-files.ts). */
  readonly elements = new Map<string, object>()
  /** Postponed work, which a test runs. */
  readonly postponed: (() => void)[] = []
  readonly setTimeout = (work: () => void) => void this.postponed.push(work)

  readonly localStorage: WebStorage

  constructor(localStorage: WebStorage, cookies: Map<string, Cookie>, locks: ReturnType<typeof openLocks>) {
    super()
    this.navigator = { onLine: true, languages: ['es-ES'], locks }
    this.localStorage = localStorage
    this.document = {
      documentElement: { lang: '', dataset: {}, style: { setProperty: () => {} } },
      querySelector: (selector: string) => this.elements.get(selector) ?? null,
      getElementById: (id: string) => this.elements.get(`#${id}`) ?? null,
      get cookie() {
        return [...cookies].flatMap(([name, { value, httpOnly }]) => (httpOnly ? [] : [`${name}=${value}`])).join('; ')
      },
      set cookie(line: string) {
        takeCookie(cookies, line)
      },
    }
  }
}

/** An XMLHttpRequest that sends a form. It reports half of it as sent before the request, and all of it afterwards. */
class FormRequest extends EventTarget {
  readonly upload = new EventTarget()
  responseText = ''
  readonly #cut = new AbortController()
  readonly #headers: Record<string, string> = {}
  #method = ''
  #path = ''

  open(method: string, path: string): void {
    this.#method = method
    this.#path = path
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers[name] = value
  }
  send(body: FormData): void {
    this.#progress(1)
    void fetch(this.#path, { method: this.#method, headers: this.#headers, body, signal: this.#cut.signal })
      .then(async reply => {
        this.#progress(2)
        this.responseText = await reply.text()
        this.dispatchEvent(new NodeEvent('load'))
      })
      .catch(() => this.dispatchEvent(new NodeEvent(this.#cut.signal.aborted ? 'abort' : 'error')))
  }
  abort(): void {
    this.#cut.abort()
  }
  #progress(loaded: number): void {
    this.upload.dispatchEvent(Object.assign(new NodeEvent('progress'), { loaded, total: 2 }))
  }
}

/** The keys are the object's own, as in a browser. */
function openStorage(changed: (key: string, value: string | null) => void): WebStorage {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return Object.hasOwn(this, key) ? (this[key] ?? null) : null
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      const isNew = this[key] !== value
      this[key] = value
      if (isNew) changed(key, value)
    },
    removeItem(this: Record<string, string>, key: string) {
      if (!Object.hasOwn(this, key)) return
      delete this[key]
      changed(key, null)
    },
  }
  // Only its own keys are read, besides these methods.
  return Object.create(methods) as WebStorage
}

function takeCookie(cookies: Map<string, Cookie>, line: string): void {
  const [pair = '', ...flags] = line.split('; ')
  const name = pair.slice(0, pair.indexOf('='))
  const value = pair.slice(name.length + 1)
  const isOver = value === '' || flags.includes('Max-Age=0')
  if (isOver) cookies.delete(name)
  else cookies.set(name, { value, httpOnly: flags.includes('HttpOnly') })
}

async function deliver(app: TestApp | undefined, cookies: Map<string, Cookie>, path: string, init: RequestInit): Promise<Response> {
  if (!app) throw new TypeError('no service')
  const body = init.body instanceof FormData ? new Response(init.body) : undefined
  const type = body?.headers.get('content-type')
  const reply = await app.context.http.inject({
    // Safe: the calls use no other methods.
    method: (init.method ?? 'GET') as 'GET',
    url: path,
    headers: {
      ...(type ? { 'content-type': type } : {}),
      ...Object.fromEntries(new Headers(init.headers)),
      cookie: [...cookies].map(([name, { value }]) => `${name}=${value}`).join('; '),
    },
    ...(body ? { payload: Buffer.from(await body.arrayBuffer()) } : typeof init.body === 'string' ? { payload: init.body } : {}),
  })
  for (const line of [reply.headers['set-cookie'] ?? []].flat()) takeCookie(cookies, line)
  const headers = Object.entries(reply.headers).flatMap(([name, value]): [string, string][] =>
    name === 'set-cookie' ? [] : [[name, String(value)]],
  )
  return new Response(reply.statusCode === 204 ? null : reply.payload, { status: reply.statusCode, headers })
}

function untilAborted<Result>(signal: AbortSignal | null | undefined, work: Promise<Result>): Promise<Result> {
  if (!signal) return work
  const { promise, reject } = Promise.withResolvers<never>()
  // Safe: the reason of an abort is an error.
  signal.addEventListener('abort', () => reject(signal.reason as Error))
  return Promise.race([work, promise])
}

export function defineGlobals(getters: Record<string, () => unknown>): () => void {
  const before = Object.keys(getters).map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  for (const [name, get] of Object.entries(getters)) Object.defineProperty(globalThis, name, { get, configurable: true })
  return () => {
    for (const [name, descriptor] of before)
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      else Reflect.deleteProperty(globalThis, name)
    vi.resetModules()
  }
}

/** Gives a static render the messages of the loaded language. It reads a store's first state, which has none. Returns a function that ends this. */
export function renderInLoadedLanguage(): () => void {
  vi.doMock('#portal/kit/words.tsx', async original => {
    const words = await original<typeof import('#portal/kit/words.tsx')>()
    return { ...words, useWords: () => ({ words: words.wordsNow(), locale: words.localeNow() }) }
  })
  return () => {
    vi.doUnmock('#portal/kit/words.tsx')
  }
}

/** Returns the texts between the tags. */
export const textsIn = (html: string): string[] => [...html.matchAll(/>([^<]+)</g)].map(([, text = '']) => text.trim())
