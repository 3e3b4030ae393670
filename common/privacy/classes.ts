/** Classes of personal data: each has a purpose, people, and a time after which it leaves (docs/privacy.md). */
export const dataClasses = [
  'quote',
  'policy',
  'ticket',
  'mail',
  'blocked',
  'copy',
  'bordereau',
  'report',
  'view',
  'user',
  'agency',
  'session',
  'audit',
  'job',
  'reply',
] as const
export type DataClass = (typeof dataClasses)[number]
