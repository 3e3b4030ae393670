import type { CoverGroup } from '#common/products/cover.ts'
import type { MessageId } from '../../../common/locales/ids'

/** The messages that name the groups of covers. */
export const groupNames = {
  cancellation: 'compare.cancellation',
  interruption: 'compare.interruption',
  medical: 'compare.medical',
  repatriation: 'compare.repatriation',
  assistance: 'compare.assistance',
  luggage: 'compare.luggage',
  delay: 'compare.delay',
  connection: 'compare.connection',
  accident: 'compare.accident',
  liability: 'compare.liability',
  sports: 'compare.sports',
  studies: 'compare.studies',
  other: 'compare.other',
} as const satisfies Record<CoverGroup | 'other', MessageId>
