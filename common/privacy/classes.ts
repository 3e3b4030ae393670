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

/** Returns a class's name in message ids, which call emails messages. */
export const classInWords = (name: DataClass): string => (name === 'mail' ? 'message' : name)
