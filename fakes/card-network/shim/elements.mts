import type { ShownError } from './ask.mts'
import { type CardForm, makeForm } from './form.mts'
import { type Appearance, applyAppearance, addStyles } from './style.mts'
import { type Texts, textsFor } from './words.mts'

export type ElementsOptions = { clientSecret?: string; locale?: string; appearance?: Appearance }

type Listener = (event: object) => void

type CardElement = {
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

/** The state of an elements object, which only stripe.confirmPayment reads. */
export type ElementsState = { options: ElementsOptions; texts: Texts; form?: CardForm }

export const states = new WeakMap<object, ElementsState>()

export function makeElements(first: ElementsOptions = {}): Elements {
  const state: ElementsState = { options: first, texts: textsFor(first.locale) }
  let element: { type: string; element: CardElement } | undefined
  const elements: Elements = {
    create(type) {
      if (type !== 'payment' && type !== 'card') throw new Error(`The fake card network has no element of type ${type}.`)
      if (element) throw new Error('Can only create one Element of this kind.')
      const forget = (): void => {
        element = undefined
        delete state.form
      }
      element = { type, element: makeElement(type, state, forget) }
      return element.element
    },
    getElement: type => (element?.type === type ? element.element : null),
    update(options) {
      state.options = { ...state.options, ...options }
      if (state.form) applyAppearance(state.form.root, state.options.appearance ?? {})
    },
    async submit() {
      const error = state.form?.check()
      return error ? { error } : {}
    },
    fetchUpdates: async () => ({}),
  }
  states.set(elements, state)
  return elements
}

function makeElement(type: string, state: ElementsState, forget: () => void): CardElement {
  const listeners = new Map<string, Set<Listener>>()
  const emit = (name: string, more: object = {}): void => {
    for (const listener of listeners.get(name) ?? []) listener({ elementType: type, ...more })
  }
  const form = makeForm(state.texts, () => emit('change', { collapsed: false, value: { type: 'card' }, ...form.state() }))
  state.form = form
  form.root.addEventListener('focusin', () => emit('focus'))
  form.root.addEventListener('focusout', () => emit('blur'))
  const element: CardElement = {
    mount(where) {
      const parent = typeof where === 'string' ? document.querySelector(where) : where
      if (!parent) throw new Error('The selector you specified applies to no DOM elements.')
      addStyles()
      applyAppearance(form.root, state.options.appearance ?? {})
      parent.replaceChildren(form.root)
      queueMicrotask(() => emit('ready'))
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
      const once: Listener = data => {
        element.off(event, once)
        listener(data)
      }
      return element.on(event, once)
    },
    update: ({ disabled }) => disabled !== undefined && form.disable(disabled),
    focus: form.focus,
    clear: form.clear,
  }
  return element
}
