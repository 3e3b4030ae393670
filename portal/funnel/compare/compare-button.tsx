import { type ReactNode, useState, useTransition } from 'react'
import { logOnly } from '#portal/kit/log.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import type { CompareDialog, CompareProps } from './compare-dialog.tsx'

const loadDialog = () => Promise.all([import('./compare-dialog.tsx'), loadMessages('compare', 'funnel', 'validation')])
const loadEarly = () => void loadDialog().catch(logOnly('loading the comparison'))

type Props = CompareProps & { children: ReactNode }

/** Opens the comparison, which is loaded only then. If that fails, a toast says so, and the page stays. */
export function CompareButton({ children, onClose, ...compare }: Props) {
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
  // A choice has at least two products. Without a choice, the comparison chooses.
  const isLacking = compare.products !== undefined && compare.products.length < 2
  /** Focuses the first product that can be ticked. */
  function askForMore() {
    showToast({ severity: 'info', summary: words('products.compare_more') })
    document.querySelector<HTMLElement>('main [name=compare]:not(:checked)')?.focus()
  }
  return (
    <>
      <Button look="quiet" icon="rows" busy={busy} onPointerEnter={loadEarly} onFocus={loadEarly} onClick={isLacking ? askForMore : open}>
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
