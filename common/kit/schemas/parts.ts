import * as z from 'zod/mini'
import { names } from './names.ts'
import { isDate } from '#common/kit/dates.ts'

/** Schemas that the calls of several features share. */

/** A text that must not be empty. */
export const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most))

/** A text of several lines with any line endings. */
export const lines = (most: number) =>
  z.pipe(
    z.string().check(
      z.maxLength(most * 2),
      z.refine(value => !/[^\P{Cc}\t\r\n]|\p{Cs}/u.test(value)),
    ),
    z.transform((value: string) => value.replaceAll(/\r\n?/g, '\n')),
  )

/** An existing day, YYYY-MM-DD. */
export const date = z.iso.date({ abort: true }).check(z.refine(isDate))

/** The years in which every day has a first instant and a next day, in every time zone. */
const inReach = /^2[01]\d\d-/
export const dateInReach = z.iso.date({ abort: true }).check(z.refine(isDate), z.regex(inReach))
export const monthInReach = z.string().check(z.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/), z.regex(inReach))

/** A request without fields. */
export const nothing = z.strictObject({})

/** A request that names one record. */
export const byUuid = z.strictObject({ uuid: z.uuid() })

/** An uploaded file, as forms and records show it. */
export const uploadedFile = z
  .object({ uuid: z.uuid(), name: z.string(), mediaType: z.string(), size: z.number() })
  .register(names, { id: 'UploadedFile' })
