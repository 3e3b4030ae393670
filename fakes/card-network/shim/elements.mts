import type { ShownError } from './ask.mts'
import { type CardForm, makeForm } from './form.mts'
import { type Appearance, choose, dress } from './style.mts'
import { type Speech, speak } from './words.mts'

export type ElementsOptions = { clientSecret?: string; locale?: string; appearance?: Appearance }

type Listener = (event: object) => void

export type CardElement = {
  mount: (where: string | HTMLElement) => void
  unmount: () => void
  destroy: () => void
  on: (event: string, listener: Listener) => CardElement
  off: (event: string, listener?: Listener) => CardElement
  once: (event: string, listener: Listener) => CardElement
  update: (options: { disabled?: boolean }) => void
  focus: () => void
  clear: () => void
}

export type Elements = {
  create: (type: string) => CardElement
  getElement: (type: string) => CardElement | null
  update: (options: ElementsOptions) => void
  submit: () => Promise<{ error?: ShownError }>
  fetchUpdates: () => Promise<object>
}

/** What stripe.confirmPayment wants to know of the elements it is given, and nobody else. */
export type Inside = { options: ElementsOptions; speech: Speech; form?: CardForm }

export const insides = new WeakMap<object, Inside>()

export function makeElements(first: ElementsOptions = {}): Elements {
  const inside: Inside = { options: first, speech: speak(first.locale) }
  let element: { type: string; element: CardElement } | undefined
  const elements: Elements = {
    create(type) {
      if (type !== 'payment' && type !== 'card') throw new Error(`The stand-in has no element of type ${type}.`)
      if (element) throw new Error('Can only create one Element of this kind.')
      const forget = (): void => {
        element = undefined
        delete inside.form
      }
      element = { type, element: makeElement(type, inside, forget) }
      return element.element
    },
    getElement: type => (element?.type === type ? element.element : null),
    update(options) {
      inside.options = { ...inside.options, ...options }
      if (inside.form) choose(inside.form.root, inside.options.appearance ?? {})
    },
    async submit() {
      const error = inside.form?.check()
      return error ? { error } : {}
    },
    fetchUpdates: async () => ({}),
  }
  insides.set(elements, inside)
  return elements
}

function makeElement(type: string, inside: Inside, forget: () => void): CardElement {
  const listeners = new Map<string, Set<Listener>>()
  const tell = (name: string, more: object = {}): void => {
    for (const listener of listeners.get(name) ?? []) listener({ elementType: type, ...more })
  }
  const form = makeForm(inside.speech, () => tell('change', { collapsed: false, value: { type: 'card' }, ...form.state() }))
  inside.form = form
  form.root.addEventListener('focusin', () => tell('focus'))
  form.root.addEventListener('focusout', () => tell('blur'))
  const element: CardElement = {
    mount(where) {
      const place = typeof where === 'string' ? document.querySelector(where) : where
      if (!place) throw new Error('The selector you specified applies to no DOM elements.')
      dress()
      choose(form.root, inside.options.appearance ?? {})
      place.replaceChildren(form.root)
      queueMicrotask(() => tell('ready'))
    },
    unmount: () => form.root.remove(),
    destroy() {
      form.clear()
      form.root.remove()
      listeners.clear()
      forget()
    },
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return element
    },
    off(event, listener) {
      if (listener) listeners.get(event)?.delete(listener)
      else listeners.delete(event)
      return element
    },
    once(event, listener) {
      const once: Listener = told => {
        element.off(event, once)
        listener(told)
      }
      return element.on(event, once)
    },
    update: ({ disabled }) => disabled !== undefined && form.disable(disabled),
    focus: form.focus,
    clear: form.clear,
  }
  return element
}
