import { intlTag } from '#common/kit/locales.ts'
import type { ShownIntent } from './ask.mts'
import { type Appearance, choose, dress } from './style.mts'
import type { Speech } from './words.mts'

/** What the bank's page would ask in truth. Closing it is a no. */
export function askHolder(intent: ShownIntent, { locale, word }: Speech, appearance: Appearance): Promise<'approve' | 'fail'> {
  const money = new Intl.NumberFormat(intlTag(locale), { style: 'currency', currency: intent.currency })
  const amount = money.format(intent.amount / 10 ** (money.resolvedOptions().maximumFractionDigits ?? 2))
  const dialog = document.createElement('dialog')
  dialog.className = 'card-stand-in-dialog'
  dialog.lang = intlTag(locale)
  const [title, question, buttons] = [document.createElement('h2'), document.createElement('p'), document.createElement('div')]
  title.textContent = word('title')
  title.id = 'card-stand-in-title'
  question.textContent = word('question').replace('{amount}', amount)
  question.id = 'card-stand-in-question'
  dialog.setAttribute('aria-labelledby', title.id)
  dialog.setAttribute('aria-describedby', question.id)
  for (const name of ['approve', 'fail'] as const) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = word(name)
    button.addEventListener('click', () => dialog.close(name))
    buttons.append(button)
  }
  dialog.append(title, question, buttons)
  dress()
  choose(dialog, appearance)
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
