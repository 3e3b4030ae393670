import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'

/** The answer is the file itself, not an envelope. */
export const getFile = {
  summary: 'A file, for those who may see what it belongs to',
  ask: z.object({ uuid: z.uuid() }),
  answer: z.unknown(),
} satisfies CallSchemas
