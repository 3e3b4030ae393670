import type { accountingMatch } from '#common/accounting/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'

export type Compared = ResponseOf<typeof accountingMatch>
