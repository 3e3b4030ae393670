import { cardSecurityCode, isCrecitCardExpirationValid, isCreditCardValid } from '#common/kit/validators/cards.ts'
import { intlTag } from '#common/kit/locales.ts'
import type { ShownError } from './ask.mts'
import type { Texts } from './words.mts'

const names = ['number', 'expiry', 'code'] as const
type Name = (typeof names)[number]

export type CardForm = {
  root: HTMLElement
  /** Shows all errors, focuses the first and returns it; undefined if the card is complete. */
  check: () => ShownError | undefined
  /** Returns the card as parameters of Stripe's API. */
  sent: () => Record<string, string>
  state: () => { complete: boolean; empty: boolean; brand: string }
  focus: () => void
  clear: () => void
  disable: (disabled: boolean) => void
}

type Fields = Record<Name, { input: HTMLInputElement; error: HTMLElement }>

const inputs = {
  number: { autocomplete: 'cc-number', maxLength: 23, incomplete: 'incomplete_number' },
  expiry: { autocomplete: 'cc-exp', maxLength: 5, incomplete: 'incomplete_expiry' },
  code: { autocomplete: 'cc-csc', maxLength: 4, incomplete: 'incomplete_cvc' },
} as const

let made = 0

export function makeForm(texts: Texts, changed: () => void): CardForm {
  const root = document.createElement('div')
  root.className = 'fake-card'
  root.lang = intlTag(texts.locale)
  made += 1
  // Safe: `names` has every field.
  const fields = Object.fromEntries(names.map(name => [name, makeField(root, name, texts)])) as Fields
  const show = (name: Name): string => {
    const message = messageFor(fields, name, texts)
    const { input, error } = fields[name]
    error.textContent = message
    input.setAttribute('aria-invalid', String(message !== ''))
    return message
  }
  for (const name of names) {
    fields[name].input.addEventListener('blur', () => fields[name].input.value && show(name))
    fields[name].input.addEventListener('input', event => {
      if (name === 'expiry') putSlash(fields.expiry.input, event)
      if (name === 'number') putSpaces(fields.number.input)
      if (fields[name].input.getAttribute('aria-invalid') === 'true') show(name)
      changed()
    })
  }
  const note = document.createElement('p')
  note.className = 'fake-card-note'
  note.textContent = texts.text('demo')
  root.append(note)
  return { root, ...actions(fields, texts, show) }
}

function actions(fields: Fields, texts: Texts, show: (name: Name) => string): Omit<CardForm, 'root'> {
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
      complete: names.every(name => messageFor(fields, name, texts) === ''),
      empty: names.every(name => value(name) === ''),
      brand: brandOf(digitsOf(value('number'))),
    }),
    focus: () => fields.number.input.focus(),
    clear() {
      for (const { input, error } of Object.values(fields)) {
        input.value = ''
        input.removeAttribute('aria-invalid')
        error.textContent = ''
      }
    },
    disable(disabled) {
      for (const { input } of Object.values(fields)) input.disabled = disabled
    },
  }
}

function makeField(root: HTMLElement, name: Name, { text }: Texts): Fields[Name] {
  const [field, label, input, error] = [
    document.createElement('div'),
    document.createElement('label'),
    document.createElement('input'),
    document.createElement('p'),
  ]
  input.id = `fake-card-${made}-${name}`
  input.name = inputs[name].autocomplete
  input.autocomplete = inputs[name].autocomplete
  input.maxLength = inputs[name].maxLength
  input.inputMode = 'numeric'
  input.required = true
  error.id = `${input.id}-fault`
  error.setAttribute('role', 'alert')
  input.setAttribute('aria-describedby', error.id)
  label.htmlFor = input.id
  label.textContent = text(name)
  field.append(label, input, error)
  root.append(field)
  return { input, error }
}

/** Applies the portal's rules (spec 5 and 9). An empty field is an error here. */
function messageFor(fields: Fields, name: Name, { locale, ruleMessage, text: textOf }: Texts): string {
  const { value } = fields[name].input
  // Nineteen digits and their spaces are more characters than the rule reads.
  const text = name === 'number' ? value.replaceAll(' ', '') : value
  if (text === '') return ruleMessage('validation.required')
  const now = new Date()
  const today = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`
  const context = { locale, today, params: { number: fields.number.input.value } }
  const rule = { number: isCreditCardValid, expiry: isCrecitCardExpirationValid, code: cardSecurityCode }[name]
  const found = rule(text, context)
  if (found && name === 'number' && /^\d{12,19}$/.test(text)) return textOf('wrong_number')
  return found ? ruleMessage(found.key, found.params) : ''
}

/** Groups the digits by four while the cursor is at their end. */
function putSpaces(input: HTMLInputElement): void {
  if (input.selectionStart !== input.value.length || !/^[\d ]+$/.test(input.value)) return
  input.value = digitsOf(input.value).replaceAll(/.{4}(?=.)/g, '$& ')
}

/** Completes 12 to 12/ on typing, but not on deleting. */
function putSlash(input: HTMLInputElement, event: Event): void {
  const adding = event instanceof InputEvent && event.inputType.startsWith('insert')
  if (adding && /^\d{2}$/.test(input.value)) input.value += '/'
  // A typed slash after the inserted one counts as the same.
  if (adding) input.value = input.value.replace('//', '/')
  if (adding && /^\d{4}$/.test(input.value)) input.value = `${input.value.slice(0, 2)}/${input.value.slice(2)}`
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

function brandOf(digits: string): string {
  if (/^3[47]/.test(digits)) return 'amex'
  if (digits.startsWith('4')) return 'visa'
  return /^5[1-5]/.test(digits) ? 'mastercard' : 'unknown'
}
