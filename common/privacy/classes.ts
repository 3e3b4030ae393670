/** The classes of personal data. Each has a purpose, people, and a retention period (docs/privacy.md). */
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
