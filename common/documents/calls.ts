import * as z from 'zod/mini'
import { call } from '#common/kit/call.ts'

/** The answer is the file itself, not an envelope. */
export const getFile = call({
  method: 'GET',
  path: '/api/files/{uuid}',
  summary: 'A file, for those who may see what it belongs to',
  needs: 'unit',
  ask: z.object({ uuid: z.uuid() }),
  answer: z.unknown(),
})
