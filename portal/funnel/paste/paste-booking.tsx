import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { isTypingIn } from '#portal/kit/is-typing.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords, loadMessages } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import type { Chosen } from './use-pasted.tsx'

const loadDialog = () => Promise.all([import('./paste-dialog.tsx'), loadMessages('paste')])
const PasteDialog = lazy(() => loadDialog().then(([{ PasteDialog }]) => ({ default: PasteDialog })))

/** Opens the paste dialog by a button, or by the key `p` outside of a field. */
export function PasteBooking({ product, onFill }: { product: Product; onFill: (chosen: Chosen) => void }) {
  const { words } = useWords()
  const [open, setOpen] = useState(false)
  const openByKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'p' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTypingIn(event.target)) return
    if (document.querySelector('dialog:modal')) return
    event.preventDefault()
    setOpen(true)
  })
  useEffect(() => {
    window.addEventListener('keydown', openByKey)
    return () => window.removeEventListener('keydown', openByKey)
  }, [])
  return (
    <>
      <Button
        look="quiet"
        icon="clipboard"
        onPointerEnter={() => void loadDialog()}
        onFocus={() => void loadDialog()}
        onClick={() => setOpen(true)}
      >
        {words('funnel.paste')}
      </Button>
      <Suspense>
        {open && (
          <PasteDialog
            product={product}
            onClose={() => setOpen(false)}
            onFill={chosen => {
              setOpen(false)
              onFill(chosen)
            }}
          />
        )}
      </Suspense>
    </>
  )
}
