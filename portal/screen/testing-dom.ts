import { GlobalWindow } from 'happy-dom'
import { type Browser, defineGlobals, origin } from '#portal/kit/testing.ts'
import { PageWorker } from './testing-worker.ts'

export type Dom = { window: globalThis.Window & typeof globalThis; close(): Promise<void> }

/** Node's own objects are kept: the service in the same process uses them, and so can the portal. */
const keptNames = new Set(
  'AbortController AbortSignal Blob Buffer CompressionStream DecompressionStream File Headers ReadableStream Request Response TextDecoder TextEncoder TransformStream URL URLSearchParams WebSocket WritableStream XMLHttpRequest clearImmediate clearInterval clearTimeout console crypto fetch global globalThis performance process queueMicrotask reportError setImmediate setInterval setTimeout structuredClone EventTarget localStorage sessionStorage isSecureContext'.split(
    ' ',
  ),
)

/** The pages that a tab has visited. A reload keeps them. */
export type TabHistory = { entries: { state: unknown; url: string }[]; at: number }

/**
 * Gives the browser's tab a document without layout or styles. Its names are global until it is closed. Errors and warnings of the console become
 * problems.
 */
export function openDom(browser: Browser, languages: string[], path: string, history: TabHistory, problems: string[]): Dom {
  const { window: tab } = browser.tab
  const dom = new GlobalWindow({
    url: origin + path,
    width: 1440,
    height: 900,
    settings: {
      disableErrorCapturing: true,
      navigation: { disableMainFrameNavigation: true, disableChildPageNavigation: true, disableFallbackToSetURL: true },
    },
  })
  // Safe: it has what the portal uses of a browser's window.
  const window = dom as unknown as Dom['window']
  const { document, navigator } = window
  for (const name of ['localStorage', 'sessionStorage'] as const) Object.defineProperty(window, name, { value: tab[name] })
  Object.defineProperty(navigator, 'locks', { value: tab.navigator.locks })
  Object.defineProperty(navigator, 'languages', { value: languages })
  Object.defineProperty(document, 'cookie', {
    get: () => Reflect.get(tab.document, 'cookie'),
    set(line: string) {
      Reflect.set(tab.document, 'cookie', line)
    },
  })
  for (const leave of ['assign', 'replace', 'reload'] as const)
    Object.defineProperty(window.location, leave, { value: (to?: string) => void tab.left.push(to ?? leave) })
  window.matchMedia = query =>
    Object.assign(new window.EventTarget(), { matches: false, media: query, addListener() {}, removeListener() {}, onchange: null })
  for (const name of ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const)
    Object.defineProperty(window, name, { get: () => globalThis[name] })
  Object.defineProperty(window, 'FormData', { value: FormFields })
  Object.defineProperty(window, 'Worker', { value: PageWorker })
  addHistory(window, history)
  addDialogs(window)
  addPopovers(window)
  addLayout(window)

  const names = new Set([...Object.getOwnPropertyNames(window), 'addEventListener', 'removeEventListener', 'dispatchEvent'])
  const own = [...names].filter(name => !keptNames.has(name) && (!(name in globalThis) || replacedNames.has(name)))
  const restore = defineGlobals(Object.fromEntries(own.map(name => [name, () => Reflect.get(window, name)])))
  const logs = (['error', 'warn'] as const).map(level => {
    const before = console[level]
    console[level] = (...parts: unknown[]) => void problems.push(parts.map(String).join(' '))
    return () => void (console[level] = before)
  })
  return {
    window,
    async close() {
      for (const end of logs) end()
      await dom.happyDOM.abort()
      restore()
    },
  }
}

/** Adds the history of earlier pages, which the document has only for pages that it has loaded itself. */
function addHistory(window: Dom['window'], tab: TabHistory): void {
  const { history, location } = window
  const put = history.replaceState.bind(history)
  const current = tab.entries[tab.at]
  if (current) put(current.state, '', location.href)
  else tab.entries.push({ state: null, url: location.href })
  history.replaceState = (state, title, url) => {
    put(state, title, url)
    tab.entries[tab.at] = { state, url: location.href }
  }
  history.pushState = (state, title, url) => {
    put(state, title, url)
    tab.entries.splice(++tab.at, Infinity, { state, url: location.href })
  }
  history.go = (by = 0) => {
    const to = tab.entries[tab.at + by]
    if (!to) return
    tab.at += by
    put(to.state, '', to.url)
    setTimeout(() => window.dispatchEvent(Object.assign(new window.Event('popstate'), { state: to.state })))
  }
  history.back = () => history.go(-1)
  history.forward = () => history.go(1)
}

const NodeFormData = FormData

/** A FormData that reads the fields of a form, which Node's own does not. */
class FormFields extends NodeFormData {
  constructor(form?: HTMLFormElement) {
    super()
    for (const field of form?.querySelectorAll<HTMLInputElement>('[name]') ?? [])
      if (!field.disabled && (!['checkbox', 'radio'].includes(field.type) || field.checked)) this.append(field.name, field.value)
  }
  static override [Symbol.hasInstance](value: unknown): boolean {
    return NodeFormData[Symbol.hasInstance](value)
  }
}

/** The names for which the document's own objects replace Node's. */
const replacedNames = new Set([
  'FormData',
  'window',
  'self',
  'document',
  'location',
  'navigator',
  'Event',
  'CustomEvent',
  'Storage',
  'MessageEvent',
])

const modal = 'data-dom-modal'
const shown = 'data-dom-popover'

/** Adds modal dialogs: they take the focus, return it, and send `close` after the task that closed them. */
function addDialogs({ document, HTMLDialogElement, HTMLElement, Element, Event }: Dom['window']): void {
  const before = new WeakMap<HTMLDialogElement, Element | null>()
  HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement) {
    if (this.open) throw new Error('the dialog is open')
    before.set(this, document.activeElement)
    this.setAttribute('open', '')
    this.setAttribute(modal, String(++modals))
    firstFocusable(this)?.focus()
  }
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
    if (!this.open) return
    this.removeAttribute('open')
    this.removeAttribute(modal)
    const last = before.get(this)
    if (last instanceof HTMLElement && last.isConnected) last.focus()
    setTimeout(() => this.dispatchEvent(new Event('close')))
  }
  for (const [type, names] of [
    [Element, ['matches', 'closest', 'querySelector', 'querySelectorAll']],
    [document.constructor, ['querySelector', 'querySelectorAll']],
  ] as const)
    for (const name of names) {
      const original: unknown = Reflect.get(type.prototype, name)
      if (typeof original !== 'function') throw new Error(`no ${name}`)
      Object.defineProperty(type.prototype, name, {
        configurable: true,
        value(this: Element, selector: string) {
          return Reflect.apply(original, this, [known(selector)])
        },
      })
    }
}

/** Returns a selector without the states that the document does not support. */
const known = (selector: string): string =>
  selector
    .replaceAll(':modal', `[${modal}]`)
    .replaceAll(':popover-open', `[${shown}]`)
    .replaceAll(':enabled', ':is(button, input, select, textarea):not(:disabled)')
    .replaceAll(':focus-visible', isByKey ? ':focus' : ':not(*)')

let modals = 0
let isByKey = false

/** Records if the user last pressed a key, as the focus is then visible. */
export const noteKey = (isKey: boolean): void => {
  isByKey = isKey
}

/** Returns the dialog that the user can reach, if one is open. */
export function topDialog({ document }: Dom['window']): HTMLDialogElement | undefined {
  const open = [...document.querySelectorAll<HTMLDialogElement>(`dialog[${modal}]`)]
  return open.toSorted((one, other) => Number(other.getAttribute(modal)) - Number(one.getAttribute(modal)))[0]
}

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]'

const firstFocusable = (inside: Element): HTMLElement | undefined =>
  [...inside.querySelectorAll<HTMLElement>(focusable)].find(each => each.tabIndex >= 0 && isVisible(each))

/** Returns the elements that Tab reaches, in the document's order. */
export function tabStops(window: Dom['window']): HTMLElement[] {
  const all = [...(topDialog(window) ?? window.document).querySelectorAll<HTMLElement>(focusable)]
  return all.filter(each => each.getAttribute('tabindex') !== '-1' && isVisible(each))
}

/** Adds popovers, which are shown or hidden, without a position. */
function addPopovers({ HTMLElement }: Dom['window']): void {
  HTMLElement.prototype.showPopover = function showPopover(this: HTMLElement) {
    this.setAttribute(shown, '')
  }
  HTMLElement.prototype.hidePopover = function hidePopover(this: HTMLElement) {
    this.removeAttribute(shown)
  }
}

/** Gives every element the same size, so that lists render their first rows. */
function addLayout({ HTMLElement, Element, document }: Dom['window']): void {
  const size = { offsetWidth: 320, offsetHeight: 320, clientWidth: 320, clientHeight: 320 }
  for (const [name, value] of Object.entries(size))
    Object.defineProperty(HTMLElement.prototype, name, { get: () => value, configurable: true })
  Element.prototype.checkVisibility = function checkVisibility(this: Element) {
    return isVisible(this)
  }
  Element.prototype.scrollIntoView = () => {}
  document.documentElement.style.setProperty('--control', '2')
  document.documentElement.style.setProperty('font-size', '16px')
}

/** True unless an attribute hides it, as there are no styles. */
export function isVisible(element: Element): boolean {
  for (let each: Element | null = element; each; each = each.parentElement) {
    if (each.hasAttribute('hidden')) return false
    if (each.hasAttribute('popover') ? !each.hasAttribute(shown) : each.localName === 'dialog' && !each.hasAttribute('open')) return false
    const around: Element | null = each.parentElement
    if (around?.localName === 'details' && !around.hasAttribute('open') && each.localName !== 'summary') return false
  }
  return true
}
