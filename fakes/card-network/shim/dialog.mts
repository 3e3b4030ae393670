import { intlTag } from '#common/kit/locales.ts'
import type { ShownIntent } from './ask.mts'
import { type Appearance, applyAppearance, addStyles } from './style.mts'
import type { Texts } from './words.mts'

/** Shows the 3-D Secure question in place of the bank's page. Closing the dialog declines. */
export function showChallenge(intent: ShownIntent, { locale, text }: Texts, appearance: Appearance): Promise<'approve' | 'fail'> {
  const money = new Intl.NumberFormat(intlTag(locale), { style: 'currency', currency: intent.currency })
  const amount = money.format(intent.amount / 10 ** (money.resolvedOptions().maximumFractionDigits ?? 2))
  const dialog = document.createElement('dialog')
  dialog.className = 'fake-card-dialog'
  dialog.lang = intlTag(locale)
  const [title, question, buttons] = [document.createElement('h2'), document.createElement('p'), document.createElement('div')]
  title.textContent = text('title')
  title.id = 'fake-card-title'
  question.textContent = text('question').replace('{amount}', amount)
  question.id = 'fake-card-question'
  dialog.setAttribute('aria-labelledby', title.id)
  dialog.setAttribute('aria-describedby', question.id)
  for (const name of ['approve', 'fail'] as const) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = text(name)
    button.addEventListener('click', () => dialog.close(name))
    buttons.append(button)
  }
  dialog.append(title, question, buttons)
  addStyles()
  applyAppearance(dialog, appearance)
  document.body.append(dialog)
  const before = document.activeElement
  return new Promise(resolve => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      if (before instanceof HTMLElement) before.focus()
      resolve(dialog.returnValue === 'approve' ? 'approve' : 'fail')
    })
    dialog.showModal()
  })
}
