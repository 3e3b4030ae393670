import { useState } from 'react'
import { accountingStatementFile } from '#common/accounting/calls.ts'
import { type StatementFormat, statementFormats } from '#common/accounting/statement.ts'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { askForFile, NotAFile, saveFile } from '#portal/kit/file/save-file.ts'
import { Menu } from '#portal/kit/overlay/menu.tsx'
import { showAlert } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** The files of a statement, behind one button. */
export function Downloads({ number }: { number: string }) {
  const { words } = useWords()
  const [busy, setBusy] = useState(false)
  async function save(format: StatementFormat) {
    setBusy(true)
    try {
      saveFile(await askForFile(accountingStatementFile, { number, format }))
    } catch (error) {
      showAlert({ mode: 'error', description: error instanceof NotAFile ? words('accounting.not_a_file') : errorMessage(error, words) })
    }
    setBusy(false)
  }
  return (
    <Menu
      label={words('accounting.download')}
      align="start"
      items={statementFormats.map(format => ({
        label: words('accounting.download_format', { format }),
        onSelect: () => void save(format),
      }))}
    >
      {trigger => (
        <Button {...trigger} look="quiet" icon="download" busy={busy}>
          {words('accounting.download')} <Icon name="chevron-down" className="size-4" />
        </Button>
      )}
    </Menu>
  )
}
