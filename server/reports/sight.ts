import type { ReportRow } from './queries.ts'

/** True for a reader who sees what the report shows: the whole agency, or the reader's own sales. */
export const isFor = ({ readers, own_of }: Pick<ReportRow, 'readers' | 'own_of'>, userId: string, ownOnly: boolean): boolean =>
  readers.includes(userId) && (ownOnly ? own_of === userId : own_of === null)
