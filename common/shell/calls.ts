import * as z from 'zod/mini'
import { businessUnitSettings } from '#common/business-unit/calls.ts'
import { call } from '#common/kit/call.ts'
import { type Locale, locales } from '#common/kit/locales.ts'
import { product } from '#common/products/calls.ts'
import { sessionUser } from '#common/session/calls.ts'

/** What a page shows first, in one reply: who is signed in, the unit's settings and its products. */
export const payloadOf = (path: string) =>
  call({
    method: 'GET',
    path: `${path}/_payload.json`,
    summary: `What the page ${path} shows first: the user, the settings of the business unit and its products`,
    needs: 'unit',
    ask: z.object({ locale: z.optional(z.enum(locales)) }),
    answer: z.object({ user: sessionUser, unitUuid: z.uuid(), settings: businessUnitSettings, products: z.array(product) }),
  })

/** The first of them: the page's own head asks for it ahead of all scripts, which no header can go with, so the language stands in the address. */
export const firstPayload = (path: string, locale: Locale) => ({ call: { ...payloadOf(path), bare: true as const }, question: { locale } })

export const addressOfFirst = (path: string, locale: Locale): string => `${path}/_payload.json?locale=${locale}`
