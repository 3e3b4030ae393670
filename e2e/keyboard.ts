import type { Page } from 'playwright-core'

/** A keyboard that counts its keys: `client` types the client's facts, names and numbers. A modifier counts as a key. */
export function keyboardOf(page: Page) {
  const counted = { client: 0, others: 0 }
  const typeAs = (kind: keyof typeof counted) => async (text: string) => {
    counted[kind] += text.length
    await page.keyboard.type(text)
  }
  const press = async (...chords: string[]) => {
    for (const chord of chords) {
      counted.others += chord.split('+').length
      await page.keyboard.press(chord)
    }
  }
  return { counted, client: typeAs('client'), type: typeAs('others'), press }
}

export type Keyboard = ReturnType<typeof keyboardOf>
