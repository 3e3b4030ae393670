import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'

/** The response is the file itself, without an envelope. */
export const getFile = {
  summary: 'Returns a file, if the caller may see the record it belongs to',
  request: z.object({ uuid: z.uuid() }),
  response: z.unknown(),
} satisfies CallSchemas
