import { useBlocker } from '@tanstack/react-router'
import { showAlert } from '#portal/kit/overlay/notices.ts'
import { useWords } from '#portal/kit/words.tsx'

/** Asks for confirmation before the user leaves unsaved entries. A sign-out does not ask. */
export function useUnsaved(isUnsaved: boolean): void {
  const { words } = useWords()
  useBlocker({
    disabled: !isUnsaved,
    enableBeforeUnload: isUnsaved,
    shouldBlockFn: async () =>
      !(await showAlert({
        mode: 'confirm',
        title: words('ui.unsaved.title'),
        description: words('ui.unsaved.message'),
        buttonTitle: words('ui.unsaved.leave'),
      })),
  })
}
