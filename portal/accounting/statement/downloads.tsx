import { useState } from 'react'
import { accountingStatementFile } from '#common/accounting/calls.ts'
import { type StatementFormat, statementFormats } from '#common/accounting/statement.ts'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { askForFile, NotAFile, saveFile } from '#portal/kit/file/save-file.ts'
import { showAlert } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** A button for each file of a statement. */
export function Downloads({ number }: { number: string }) {
  const { words } = useWords()
  const [loading, setLoading] = useState<StatementFormat>()
  async function save(format: StatementFormat) {
    setLoading(format)
    try {
      saveFile(await askForFile(accountingStatementFile, { number, format }))
    } catch (error) {
      showAlert({ mode: 'error', description: error instanceof NotAFile ? words('accounting.not_a_file') : errorMessage(error, words) })
    }
    setLoading(undefined)
  }
  return statementFormats.map(format => (
    <Button key={format} look="quiet" icon="download" busy={loading === format} onClick={() => void save(format)}>
      {words('accounting.download', { format })}
    </Button>
  ))
}
