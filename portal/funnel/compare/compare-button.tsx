import { type ReactNode, useState, useTransition } from 'react'
import { logOnly } from '#portal/kit/log.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import type { CompareDialog } from './compare-dialog.tsx'
import type { CompareProps } from './types.ts'

const loadDialog = () => Promise.all([import('./compare-dialog.tsx'), loadMessages('compare', 'funnel', 'validation')])
const loadEarly = () => void loadDialog().catch(logOnly('loading the comparison'))

type Props = CompareProps & { disabled?: boolean; children: ReactNode }

/** Opens the comparison, which is loaded only then. If that fails, a toast says so, and the page stays. */
export function CompareButton({ disabled, children, onClose, ...compare }: Props) {
  const { words } = useWords()
  const [Dialog, setDialog] = useState<typeof CompareDialog>()
  const [busy, start] = useTransition()
  const open = () =>
    start(async () => {
      try {
        const [{ CompareDialog }] = await loadDialog()
        setDialog(() => CompareDialog)
      } catch {
        showToast({ severity: 'error', summary: words('shell.offline'), life: 8000 })
      }
    })
  return (
    <>
      <Button look="quiet" icon="rows" busy={busy} disabled={disabled} onPointerEnter={loadEarly} onFocus={loadEarly} onClick={open}>
        {children}
      </Button>
      {Dialog && (
        <Dialog
          {...compare}
          onClose={trip => {
            setDialog(undefined)
            onClose(trip)
          }}
        />
      )}
    </>
  )
}
