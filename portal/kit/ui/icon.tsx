import type { MoreIconName } from './more-icons.ts'

/** The icons needed before the sign-in, 24 by 24, as one path each. They need no font and no download. */
const firstPaths = {
  'alert-circle': 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 5v4.5m0 3.5v.01',
  'alert-triangle': 'M12 4 2.8 19.5h18.4L12 4Zm0 6v4m0 2.8v.01',
  'arrow-left': 'M20 12H4m6-6-6 6 6 6',
  'arrow-right': 'M4 12h16m-6-6 6 6-6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  'check-circle': 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm-4 9.5 2.8 2.8L16 9.8',
  'chevron-down': 'm6 9.5 6 6 6-6',
  download: 'M12 4v11.5m-5-5 5 5 5-5M4.5 20h15',
  file: 'M6 3.5h8L18.5 8v12.5H6v-17Zm8 0V8h4.5',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm-9 9h18M12 3c2.4 2.5 3.6 5.5 3.6 9S14.4 18.5 12 21c-2.4-2.5-3.6-5.5-3.6-9S9.6 5.5 12 3Z',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 8v5m0-8.5v.01',
  lock: 'M5.5 11h13v9.5h-13V11Zm2.5 0V8a4 4 0 0 1 8 0v3',
  phone: 'M5 4h4l1.5 4.5-2 1.5c1 2.3 2.7 4 5 5l1.5-2 4.5 1.5v4c0 .8-.7 1.5-1.5 1.5C10.7 20 4 13.3 3.5 5.5 3.5 4.7 4.2 4 5 4Z',
  repeat: 'M7 3.5 3.5 7 7 10.5M3.5 7H17a3.5 3.5 0 0 1 3.5 3.5V12M17 20.5l3.5-3.5-3.5-3.5m3.5 3.5H7A3.5 3.5 0 0 1 3.5 13.5V12',
  x: 'm6.5 6.5 11 11m0-11-11 11',
}

export type IconName = keyof typeof firstPaths | MoreIconName

const paths: Partial<Record<IconName, string>> = { ...firstPaths }

/** Adds the icons of the pages behind the sign-in, which load them with their frame. */
export const addIcons = (more: Record<MoreIconName, string>): unknown => Object.assign(paths, more)

// Safe: the keys of the table.
export const iconNames = (): IconName[] => Object.keys(paths) as IconName[]

/** Returns a product's icon by its name in the catalogue; a shield if there is no such icon. */
export const iconOf = (name: string): IconName =>
  // Safe: the condition has checked the name.
  name in paths ? (name as IconName) : 'shield'

/** An icon, which screen readers skip. If it stands alone, the control around it has a label. */
export function Icon({ name, className = '' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${/\bsize-/.test(className) ? '' : 'size-4'} ${className}`}
    >
      <path d={paths[name]} />
    </svg>
  )
}

/** A spinner for short waits. The control around it is marked as busy. */
export function Turning({ className = 'size-4' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className={`shrink-0 animate-turn ${className}`}>
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="2.5" opacity="0.25" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}
