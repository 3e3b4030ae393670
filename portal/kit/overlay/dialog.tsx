import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'

export type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  /** While true, the window cannot be closed. */
  busy?: boolean
  size?: 'small' | 'medium' | 'large' | 'wide'
  /** Keeps its top in place while its content grows, and hides its title: for a search. */
  anchored?: boolean
  role?: 'alertdialog'
  showCloseIcon?: boolean
  /** Keeps the window above windows that open later. */
  onTop?: boolean
  /** The buttons, with the main one last. */
  actions?: ReactNode
  children?: ReactNode
}

/** A window over the page, which is inert meanwhile. It is the browser's own dialog, which also restores the focus. */
export function Dialog(props: DialogProps) {
  return props.open ? (
    <Modal {...props} look={`${props.anchored ? anchoredLook : centredLook} ${dialogLook} ${sizes[props.size ?? 'medium']}`} />
  ) : null
}

/** A window at the side, for details of something on the page. All have one width. */
export function Drawer(props: Omit<DialogProps, 'role' | 'size'>) {
  return props.open ? <Modal {...props} focusTitle look={drawerLook} /> : null
}

function Modal({
  onClose,
  title,
  description,
  busy = false,
  role,
  showCloseIcon = true,
  onTop,
  anchored = false,
  actions,
  children,
  look,
  focusTitle = false,
}: DialogProps & { look: string; focusTitle?: boolean }) {
  const { words } = useWords()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const pressedOutside = useRef(false)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!document.querySelector('dialog:modal')) keepWidth()
    if (!element?.open) show(element)
    const above = document.querySelector<HTMLDialogElement>('dialog[data-on-top]:modal')
    if (above && above !== element) {
      const focused = above.contains(document.activeElement) ? document.activeElement : undefined
      above.close()
      show(above)
      if (focused instanceof HTMLElement) focused.focus()
    }
    return () => element?.close()
  }, [])

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the keyboard closes it by Escape, through onCancel
    <dialog
      ref={dialog}
      role={role}
      data-on-top={onTop}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={event => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (!busy) onClose()
      }}
      onClose={event => {
        // A browser may close the dialog at the second Escape even though onCancel prevents it.
        if (event.currentTarget.open) return
        if (busy) event.currentTarget.showModal()
        else onClose()
      }}
      onPointerDown={event => {
        pressedOutside.current = event.target === event.currentTarget
      }}
      onClick={event => {
        if (!busy && pressedOutside.current && event.target === event.currentTarget) onClose()
      }}
      className={`${modalLook} ${look}`}
    >
      <div className="flex max-h-[inherit] min-h-0 flex-1 flex-col">
        <div className={anchored ? 'sr-only' : 'flex items-start gap-2 px-5 pt-4 pb-2'}>
          <div className="grid min-h-(--control) flex-1 content-center gap-1">
            <h2 id={`${id}-title`} tabIndex={-1} data-first={focusTitle || undefined} className="text-lg font-semibold outline-none">
              {title}
            </h2>
          </div>
          {showCloseIcon && (
            <IconButton icon="x" label={words('ui.close')} aria-disabled={busy} onClick={() => busy || onClose()} className="-mr-2" />
          )}
        </div>
        <div className={`grid min-h-0 flex-1 content-start gap-(--gap) overflow-auto px-5 pb-5 ${anchored ? 'pt-5' : 'pt-1'}`}>
          {description && (
            <div id={`${id}-description`} className="text-quiet">
              {description}
            </div>
          )}
          {children}
        </div>
        {actions && <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3 max-sm:*:flex-1">{actions}</footer>}
      </div>
    </dialog>
  )
}

/** Opens the window and focuses its `data-first` element. Without one, the browser focuses the first button. */
function show(dialog: HTMLDialogElement | null): void {
  dialog?.showModal()
  dialog?.querySelector<HTMLElement>('[data-first]')?.focus()
}

/** Stores the scrollbar's width for theme.css, which reserves it so that the page does not move. */
function keepWidth(): void {
  const root = document.documentElement
  root.style.setProperty('--scrollbar', `${window.innerWidth - root.offsetWidth}px`)
}

const modalLook =
  'flex-col overflow-hidden bg-raised text-ink shadow-raised transition-[opacity,translate] duration-150 ease-calm backdrop:bg-veil backdrop:transition-opacity backdrop:duration-150 open:flex starting:opacity-0 starting:backdrop:opacity-0'
const centredLook = 'm-auto max-sm:mb-0 max-sm:rounded-b-none'
const anchoredLook = 'mx-auto mt-[12dvh] max-sm:mt-2'
const dialogLook = 'max-h-[calc(100dvh-4rem)] w-full rounded-xl max-sm:max-w-none sm:w-[calc(100%-4rem)] starting:translate-y-2'
const drawerLook = 'my-0 mr-0 ml-auto h-dvh max-h-none w-full max-w-full sm:w-140 border-l border-line starting:translate-x-6'
const sizes = { small: 'sm:max-w-100', medium: 'sm:max-w-140', large: 'sm:max-w-220', wide: 'sm:max-w-300' }
