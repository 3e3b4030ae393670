import { cardSecurityCode, isCrecitCardExpirationValid, isCreditCardValid } from '#common/kit/validators/cards.ts'
import { intlTag } from '#common/kit/locales.ts'
import type { ShownError } from './ask.mts'
import type { Speech } from './words.mts'

const names = ['number', 'expiry', 'code'] as const
type Name = (typeof names)[number]

export type CardForm = {
  root: HTMLElement
  /** The first fault, shown beside its field and with the focus in it; undefined when the card may be sent. */
  check: () => ShownError | undefined
  /** The card as Stripe's interface takes it. */
  sent: () => Record<string, string>
  state: () => { complete: boolean; empty: boolean; brand: string }
  focus: () => void
  clear: () => void
  disable: (disabled: boolean) => void
}

type Fields = Record<Name, { input: HTMLInputElement; fault: HTMLElement }>

const inputs = {
  number: { autocomplete: 'cc-number', maxLength: 23, incomplete: 'incomplete_number' },
  expiry: { autocomplete: 'cc-exp', maxLength: 5, incomplete: 'incomplete_expiry' },
  code: { autocomplete: 'cc-csc', maxLength: 4, incomplete: 'incomplete_cvc' },
} as const

let made = 0

export function makeForm(speech: Speech, changed: () => void): CardForm {
  const root = document.createElement('div')
  root.className = 'card-stand-in'
  root.lang = intlTag(speech.locale)
  made += 1
  const fields = Object.fromEntries(names.map(name => [name, makeField(root, name, speech)])) as Fields
  const show = (name: Name): string => {
    const message = messageFor(fields, name, speech)
    const { input, fault } = fields[name]
    fault.textContent = message
    input.setAttribute('aria-invalid', String(message !== ''))
    return message
  }
  for (const name of names) {
    fields[name].input.addEventListener('blur', () => fields[name].input.value && show(name))
    fields[name].input.addEventListener('input', event => {
      if (name === 'expiry') putSlash(fields.expiry.input, event)
      if (fields[name].input.getAttribute('aria-invalid') === 'true') show(name)
      changed()
    })
  }
  const note = document.createElement('p')
  note.className = 'card-stand-in-note'
  note.textContent = speech.word('demo')
  root.append(note)
  return { root, ...actions(fields, speech, show) }
}

function actions(fields: Fields, speech: Speech, show: (name: Name) => string): Omit<CardForm, 'root'> {
  const value = (name: Name): string => fields[name].input.value
  return {
    check() {
      const shown = names.map(name => ({ name, message: show(name) }))
      const first = shown.find(({ message }) => message !== '')
      if (!first) return undefined
      fields[first.name].input.focus()
      return { type: 'validation_error', code: inputs[first.name].incomplete, message: first.message }
    },
    sent() {
      const [month = '', year = ''] = value('expiry').split('/')
      const card = 'payment_method_data[card]'
      return {
        'payment_method_data[type]': 'card',
        [`${card}[number]`]: digitsOf(value('number')),
        [`${card}[exp_month]`]: month,
        [`${card}[exp_year]`]: year,
        [`${card}[cvc]`]: value('code'),
      }
    },
    state: () => ({
      complete: names.every(name => messageFor(fields, name, speech) === ''),
      empty: names.every(name => value(name) === ''),
      brand: brandOf(digitsOf(value('number'))),
    }),
    focus: () => fields.number.input.focus(),
    clear() {
      for (const { input, fault } of Object.values(fields)) {
        input.value = ''
        input.removeAttribute('aria-invalid')
        fault.textContent = ''
      }
    },
    disable(disabled) {
      for (const { input } of Object.values(fields)) input.disabled = disabled
    },
  }
}

function makeField(root: HTMLElement, name: Name, { word }: Speech): Fields[Name] {
  const [field, label, input, fault] = [
    document.createElement('div'),
    document.createElement('label'),
    document.createElement('input'),
    document.createElement('p'),
  ]
  input.id = `card-stand-in-${made}-${name}`
  input.name = inputs[name].autocomplete
  input.autocomplete = inputs[name].autocomplete
  input.maxLength = inputs[name].maxLength
  input.inputMode = 'numeric'
  input.required = true
  fault.id = `${input.id}-fault`
  fault.setAttribute('role', 'alert')
  input.setAttribute('aria-describedby', fault.id)
  label.htmlFor = input.id
  label.textContent = word(name)
  field.append(label, input, fault)
  root.append(field)
  return { input, fault }
}

/** The same rules that the product has (spec 5 and 9); nothing entered is a fault here. */
function messageFor(fields: Fields, name: Name, { locale, finding }: Speech): string {
  const text = fields[name].input.value
  if (text === '') return finding('validation.required')
  const now = new Date()
  const today = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`
  const context = { locale, today, params: { number: fields.number.input.value } }
  const rule = { number: isCreditCardValid, expiry: isCrecitCardExpirationValid, code: cardSecurityCode }[name]
  const found = rule(text, context)
  return found ? finding(found.key, found.params) : ''
}

/** 12 becomes 12/ while it is being written, never while it is being taken away. */
function putSlash(input: HTMLInputElement, event: Event): void {
  const adding = event instanceof InputEvent && event.inputType.startsWith('insert')
  if (adding && /^\d{2}$/.test(input.value)) input.value += '/'
  // Who types the slash, too, meant that one.
  if (adding) input.value = input.value.replace('//', '/')
  if (adding && /^\d{4}$/.test(input.value)) input.value = `${input.value.slice(0, 2)}/${input.value.slice(2)}`
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

function brandOf(digits: string): string {
  if (/^3[47]/.test(digits)) return 'amex'
  if (digits.startsWith('4')) return 'visa'
  return /^5[1-5]/.test(digits) ? 'mastercard' : 'unknown'
}
