import * as z from 'zod/mini'
import { businessUnitSettings } from '#common/business-unit/calls.ts'
import { call } from '#common/kit/call.ts'
import { product } from '#common/products/calls.ts'
import { sessionUser } from '#common/session/calls.ts'

/** What a page shows first, in one reply: who is signed in, the unit's settings and its products. */
export const payloadOf = (path: string) =>
  call({
    method: 'GET',
    path: `${path}/_payload.json`,
    summary: `What the page ${path} shows first: the user, the settings of the business unit and its products`,
    needs: 'unit',
    ask: z.object({}),
    answer: z.object({ user: sessionUser, unitUuid: z.uuid(), settings: businessUnitSettings, products: z.array(product) }),
  })
