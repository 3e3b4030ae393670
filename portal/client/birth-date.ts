import { type ChangeEvent, useState } from 'react'
import { readDate } from '#common/kit/dates.ts'
import { typedDate } from '#common/kit/typed/typed-date.ts'
import { useWords } from '#portal/kit/words.tsx'

/** Reads a birth date typed as everywhere in the portal. The page loads no calendar, in which a birth date is hard to find. */
export function useBirthDate(name: string) {
  const { words } = useWords()
  const [text, setText] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const check = (): boolean => {
    const isDate = readDate(text) !== undefined
    setIsWrong(!isDate)
    if (!isDate) document.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus()
    return isDate
  }
  return {
    /** The date as YYYY-MM-DD. */
    value: readDate(text),
    check,
    field: {
      name,
      inputMode: 'numeric',
      placeholder: words('ui.date.format'),
      value: text,
      error: isWrong ? words('client.find_birth_wrong') : undefined,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setText(typedDate(text, target.value)),
      onBlur: () => setIsWrong(text !== '' && readDate(text) === undefined),
    } as const,
  }
}
