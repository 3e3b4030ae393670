import { type RuleProblem, isNothing, textRule, type Validator } from './rule.ts'

/** spec 5: standard address pattern; every item of a list must match. */
export const email: Validator = (value, context) => everyItem(value, item => oneEmail(item, context))

/** spec 5: simple address pattern. Checks a list item by item, like `email`. */
export const emailPartners: Validator = (value, context) => everyItem(value, item => onePartner(item, context))

/** Checks every item. An empty item is invalid; only the whole field may be empty. */
function everyItem(value: unknown, check: (item: unknown) => RuleProblem | null): RuleProblem | null {
  if (!Array.isArray(value)) return check(value)
  for (const item of value) {
    const problem = check(isNothing(item) ? false : item)
    if (problem) return problem
  }
  return null
}

const oneEmail = textRule(isAddress, (_, text) => ({
  key:
    /[^\p{ASCII}\s]/u.test(text) && isAddress(text.normalize('NFKD').replaceAll(/[^\p{ASCII}]/gu, ''))
      ? 'validation.email_letters'
      : 'validation.email',
}))

/** RFC 5321 as used in practice: dot-atom @ host name with a top-level domain. No quoted local parts, no address literals. */
function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const labels = text.slice(at + 1).split('.')
  return (
    local.length <= 64 &&
    local.split('.').every(part => /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/.test(part)) &&
    labels.length >= 2 &&
    labels.every(label => /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label)) &&
    /^[A-Za-z].*[A-Za-z0-9]$/.test(labels.at(-1) ?? '')
  )
}

const onePartner = textRule(isSimpleAddress, () => ({ key: 'validation.invalidEmailPartners' }))

/** Text, @, and text with a dot. No characters that a mail header could read as a second address or a new line. */
function isSimpleAddress(text: string): boolean {
  const [local, host, ...more] = text.split('@')
  const plain = /^[^\s\p{Cc}\p{Cf},;:<>()"\\]+$/u
  return (
    more.length === 0 && plain.test(local ?? '') && plain.test(host ?? '') && /[^.]\.[^.]/.test(host ?? '') && !/^\.|\.$/.test(host ?? '')
  )
}
