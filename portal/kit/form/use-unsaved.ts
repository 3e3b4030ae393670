import { useBlocker } from '@tanstack/react-router'
import { showAlert } from '#portal/kit/overlay/notices.ts'
import { useWords, type Words } from '#portal/kit/words.tsx'

/** Asks for confirmation before the user leaves unsaved input. A sign-out does not ask. */
export function useUnsaved(isUnsaved: boolean): void {
  const { words } = useWords()
  useBlocker({ disabled: !isUnsaved, enableBeforeUnload: isUnsaved, shouldBlockFn: () => wantsToStay(words) })
}

/** Asks whether to leave unsaved input. Returns false if the user confirms, and true if they cancel. */
export const wantsToStay = async (words: Words): Promise<boolean> =>
  !(await showAlert({
    mode: 'confirm',
    title: words('panel.unsaved.title'),
    description: words('panel.unsaved.message'),
    buttonTitle: words('panel.unsaved.leave'),
  }))
