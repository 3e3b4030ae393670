import { useEffect, useState } from 'react'
import { later } from '#portal/kit/page/later.tsx'
import { shortcut } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { loadMessages } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import type { Chosen } from './take-chosen.ts'

const [PasteDialog, loadDialog] = later(async () => {
  const [{ PasteDialog }] = await Promise.all([import('./paste-dialog.tsx'), loadMessages('paste', 'funnel', 'validation')])
  return PasteDialog
})

/** Opens the paste dialog by a button, its shortcut, or a booking pasted into any field of the step. */
export function PasteBooking({ label, product, onFill }: { label: string; product: Product; onFill: (chosen: Chosen) => void }) {
  /** The text with which the dialog opens; undefined while it is closed. */
  const [text, setText] = useState<string>()
  useEffect(() => {
    function openWith(event: ClipboardEvent) {
      const pasted = event.clipboardData?.getData('text/plain') ?? ''
      if (!isBooking(pasted) || document.querySelector('dialog:modal')) return
      event.preventDefault()
      setText(pasted)
    }
    window.addEventListener('paste', openWith)
    return () => window.removeEventListener('paste', openWith)
  }, [])
  return (
    <>
      <Button
        {...shortcut('paste')}
        look="quiet"
        icon="clipboard"
        onPointerEnter={loadDialog}
        onFocus={loadDialog}
        onClick={() => setText('')}
      >
        {label}
      </Button>
      {text !== undefined && (
        <PasteDialog
          product={product}
          firstText={text}
          onClose={() => setText(undefined)}
          onFill={chosen => {
            setText(undefined)
            onFill(chosen)
          }}
        />
      )}
    </>
  )
}

/** True for a text that is not meant for one field: several lines, or long. */
const isBooking = (text: string): boolean => text.trim().includes('\n') || text.trim().length > 60
