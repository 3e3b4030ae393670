import { KeyHints } from '#portal/kit/page/key-hints.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** A legend of the sheet's keys. A phone has cards instead. */
export function SheetKeys() {
  const { words } = useWords()
  return (
    <KeyHints
      place="sheet"
      className="people-keys max-md:hidden"
      hints={[
        { keys: ['Tab'], label: words('funnel.sheet.key.next_cell') },
        { keys: ['Enter'], label: words('funnel.sheet.key.next_row') },
        { keys: ['Control+V'], label: words('funnel.sheet.key.paste') },
        { keys: ['Control+D'], label: words('funnel.sheet.key.copy') },
        { keys: ['Alt+↑+↓'], label: words('funnel.sheet.key.move') },
        { keys: [`Alt+${words('ui.key_delete')}`], label: words('funnel.sheet.key.remove') },
      ]}
    />
  )
}
