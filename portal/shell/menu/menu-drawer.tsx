import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Drawer } from '#portal/kit/overlay/dialog.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Sidebar } from './sidebar.tsx'

/** The menu in a drawer, which closes when another page opens. */
export function MenuDrawer({ onSearch, onClose }: { onSearch: () => void; onClose: () => void }) {
  const { words } = useWords()
  const { href } = useLocation()
  const first = useRef(href)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (href !== first.current) close()
  }, [href])
  return (
    <Drawer open onClose={onClose} title={words('shell.menu.label')}>
      <Sidebar onSearch={onSearch} inDrawer />
    </Drawer>
  )
}
