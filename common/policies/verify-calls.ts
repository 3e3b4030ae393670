import type { Call, ResponseOf } from '#common/kit/call.ts'
import type * as schemas from './schemas/verify.ts'

export const verifyPolicy: Call<typeof schemas.verifyPolicy, 'nothing'> = {
  method: 'POST',
  path: '/api/verify',
  needs: 'nothing',
}

export type Validity = ResponseOf<typeof verifyPolicy>['validity']
