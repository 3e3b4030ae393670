import { accountingStatementFile } from '#common/accounting/calls.ts'
import { statementFormats } from '#common/accounting/statement.ts'
import { useDownload } from '#portal/kit/file/use-download.ts'
import { Menu } from '#portal/kit/overlay/menu.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** The files of a statement, behind one button. */
export function Downloads({ number }: { number: string }) {
  const { words } = useWords()
  const { busy, download } = useDownload()
  return (
    <Menu
      label={words('accounting.download')}
      align="start"
      items={statementFormats.map(format => ({
        label: words('accounting.download_format', { format }),
        onSelect: () => void download(accountingStatementFile, { number, format }),
      }))}
    >
      {trigger => (
        <Button {...trigger} look="quiet" icon="download" busy={busy !== undefined}>
          {words('accounting.download')} <Icon name="chevron-down" className="size-4" />
        </Button>
      )}
    </Menu>
  )
}
