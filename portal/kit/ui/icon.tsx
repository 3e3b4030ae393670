/** The icons, 24 by 24, as one path each. They need no font and no download. */
const paths = {
  'alert-circle': 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 5v4.5m0 3.5v.01',
  'alert-triangle': 'M12 4 2.8 19.5h18.4L12 4Zm0 6v4m0 2.8v.01',
  'arrow-left': 'M20 12H4m6-6-6 6 6 6',
  'arrow-right': 'M4 12h16m-6-6 6 6-6 6',
  bookmark: 'M6.5 4h11v16L12 16l-5.5 4V4Z',
  building: 'M5 20V4.5h9V20M14 9.5h5V20M3 20h18M8 8.5h3M8 12h3M8 15.5h3',
  calendar: 'M4 6h16v14H4V6Zm0 4.5h16M8 3.5v4m8-4v4',
  'calendar-x': 'M4 6h16v14H4V6Zm0 4.5h16M8 3.5v4m8-4v4M10 13.5l4 4m0-4-4 4',
  card: 'M3 6h18v12.5H3V6Zm0 4h18M6.5 15h4',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  'check-circle': 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm-4 9.5 2.8 2.8L16 9.8',
  'chevron-down': 'm6 9.5 6 6 6-6',
  'chevron-left': 'm14.5 6-6 6 6 6',
  'chevron-right': 'm9.5 6 6 6-6 6',
  'chevron-up': 'm6 14.5 6-6 6 6',
  clipboard: 'M9 5H6v15.5h12V5h-3M9 3.5h6V7H9V3.5Zm0 8h6M9 15.5h4',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 4.5V12l3 2',
  copy: 'M9 9h11v11H9V9Zm-3 6H4V4h11v2',
  download: 'M12 4v11.5m-5-5 5 5 5-5M4.5 20h15',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6Z',
  file: 'M6 3.5h8L18.5 8v12.5H6v-17Zm8 0V8h4.5',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm-9 9h18M12 3c2.4 2.5 3.6 5.5 3.6 9S14.4 18.5 12 21c-2.4-2.5-3.6-5.5-3.6-9S9.6 5.5 12 3Z',
  'graduation-cap': 'M12 5 2.5 9.5 12 14l9.5-4.5L12 5ZM6.5 11.5V16c1.5 1.5 3.3 2.2 5.5 2.2s4-.7 5.5-2.2v-4.5M21.5 9.5v5.5',
  home: 'M4 11 12 4l8 7v9h-5.5v-5.5h-5V20H4v-9Z',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 8v5m0-8.5v.01',
  lifebuoy:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 5.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM5.7 5.7l3.8 3.8m5 5 3.8 3.8m0-12.6-3.8 3.8m-5 5-3.8 3.8',
  list: 'M8.5 6.5H20m-11.5 5.5H20M8.5 17.5H20M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01',
  lock: 'M5.5 11h13v9.5h-13V11Zm2.5 0V8a4 4 0 0 1 8 0v3',
  'log-out': 'M10 4.5H5v15h5M15 7.5l4.5 4.5-4.5 4.5M19 12H9.5',
  mail: 'M3.5 6h17v12.5h-17V6Zm.5.5 8 6.5 8-6.5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  minus: 'M5.5 12h13',
  moon: 'M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7Z',
  more: 'M5.5 11.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4ZM12 11.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4ZM18.5 11.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4Z',
  pencil: 'm4.5 19.5 1-4.2L16 4.8l3.2 3.2L8.7 18.5l-4.2 1ZM13.8 7l3.2 3.2',
  phone: 'M5 4h4l1.5 4.5-2 1.5c1 2.3 2.7 4 5 5l1.5-2 4.5 1.5v4c0 .8-.7 1.5-1.5 1.5C10.7 20 4 13.3 3.5 5.5 3.5 4.7 4.2 4 5 4Z',
  plane: 'M12 3c.9 0 1.5 1 1.5 2.5V10l7 4v2l-7-2v4l2 1.5V21L12 20l-3.5 1v-1.5l2-1.5v-4l-7 2v-2l7-4V5.5C10.5 4 11.1 3 12 3Z',
  plus: 'M5.5 12h13M12 5.5v13',
  receipt: 'M5.5 3.5h13v17l-2.2-1.5-2.1 1.5L12 19l-2.2 1.5L7.7 19l-2.2 1.5v-17ZM9 8.5h6M9 12.5h6',
  repeat: 'M7 3.5 3.5 7 7 10.5M3.5 7H17a3.5 3.5 0 0 1 3.5 3.5V12M17 20.5l3.5-3.5-3.5-3.5m3.5 3.5H7A3.5 3.5 0 0 1 3.5 13.5V12',
  rows: 'M4 5h16v14H4V5Zm0 4.7h16M4 14.3h16',
  search: 'M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm4.8 11.3L20 20',
  settings: 'M4 7.5h9m4 0h3M4 16.5h3m4 0h9M15 5.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM9 14.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z',
  shield: 'M12 3.5 4.5 6v5.5c0 4.3 3 7.3 7.5 9 4.5-1.7 7.5-4.7 7.5-9V6L12 3.5Zm-3.2 8.3 2.3 2.3 4.1-4.3',
  snowflake:
    'M12 3v18M4.2 7.5l15.6 9M4.2 16.5l15.6-9M9.5 4.5 12 7l2.5-2.5M9.5 19.5 12 17l2.5 2.5M4 10.8l3.5-.9-1-3.4M20 13.2l-3.5.9 1 3.4M4 13.2l3.5.9-1 3.4M20 10.8l-3.5-.9 1-3.4',
  sort: 'm8 9.5 4-4 4 4M8 14.5l4 4 4-4',
  suitcase: 'M3.5 8h17v11.5h-17V8ZM9 8V4.5h6V8M8 8v11.5M16 8v11.5',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0-5v1.5m0 15V21M3 12h1.5m15 0H21M5.6 5.6l1.1 1.1m10.6 10.6 1.1 1.1m0-12.8-1.1 1.1M6.7 17.3l-1.1 1.1',
  trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 13h9.4l.8-13M10.2 11v5.5m3.6-5.5v5.5',
  upload: 'M12 15.5V4.5m-5 5 5-5 5 5M4.5 20h15',
  user: 'M12 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM5 20c.4-3.5 3-5.5 7-5.5s6.6 2 7 5.5',
  users:
    'M9 5a3.2 3.2 0 1 0 0 6.4A3.2 3.2 0 0 0 9 5ZM2.5 19c.3-3.2 2.7-5 6.5-5s6.2 1.8 6.5 5M15.5 5.4a3.2 3.2 0 0 1 0 5.6M18 14.4c2.1.6 3.3 2.2 3.5 4.6',
  x: 'm6.5 6.5 11 11m0-11-11 11',
} as const

export type IconName = keyof typeof paths

// Safe: the keys of a constant.
export const iconNames = Object.keys(paths) as IconName[]

/** Returns the icon of a product by its name from the catalogue; a shield if there is no such icon. */
export const iconOf = (name: string): IconName =>
  // Safe: the condition has found the name.
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

/** A turning wheel for short waits. The control around it is marked as busy. */
export function Turning({ className = 'size-4' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className={`shrink-0 animate-turn ${className}`}>
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="2.5" opacity="0.25" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}
