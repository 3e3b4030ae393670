import { narrowedToOwn } from '#common/kit/permissions.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'

/** Returns the caller's id if the caller sees only earnings from own sales, else undefined. */
export const ownOnly = ({ userId, unit }: CallerInUnit): string | undefined => (narrowedToOwn(unit.permissions) ? userId : undefined)
