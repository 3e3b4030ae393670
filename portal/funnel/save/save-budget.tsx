import { useState } from 'react'
import { later } from '#portal/kit/page/later.tsx'
import { shortcut } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'

// Loaded on demand, as it needs the service anyway.
const [SaveDialog, loadSaveDialog] = later(async () => (await import('./save-dialog.tsx')).SaveDialog)

/** Saves the sale as a quote, however incomplete. Among other buttons, its name is visible on wide screens only. */
export function SaveBudget({ product, inLine }: { product: Product; inLine: boolean }) {
  const { words } = useWords()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        {...shortcut('save')}
        look="quiet"
        icon="bookmark"
        className="flex-1"
        aria-label={words('funnel.save_budget')}
        onPointerEnter={loadSaveDialog}
        onFocus={loadSaveDialog}
        onClick={() => setOpen(true)}
      >
        <span className={inLine ? 'max-lg:hidden' : ''}>{words('funnel.save_budget')}</span>
      </Button>
      {open && <SaveDialog product={product} onClose={() => setOpen(false)} />}
    </>
  )
}
