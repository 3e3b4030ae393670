import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { isSecretsKey } from '#server/kit/store/secrets.ts'
import { isOneAddress } from '#server/mail/public.ts'
import { readRouteRules } from '#server/shell/public.ts'

// The kinds of values that settings have, each with what is said of a wrong one.

export const oneOf = <const T extends readonly [string, ...string[]]>(names: T) =>
  z.enum(names, { error: `must be one of ${names.join(', ')}` })
export const flag = z.pipe(
  oneOf(['true', 'false', '1', '0']),
  z.transform(text => text === 'true' || text === '1'),
)
export const wholeNumber = (least: number, most: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/, 'must be a whole number')),
    z.pipe(z.transform(Number), z.number().check(z.gte(least, `must be at least ${least}`), z.lte(most, `must be at most ${most}`))),
  )
/** `3000/9000`: of each user, and of his unit as a whole. */
export const perMinute = (user: number, unit: number, least = 1) =>
  z._default(
    z.pipe(
      z.string(),
      z.transform((text, context) => {
        const [, user, unit] = (/^(\d{1,8})\/(\d{1,8})$/.exec(text) ?? []).map(Number)
        if (user !== undefined && unit !== undefined && Math.min(user, unit) >= least) return { user, unit }
        const message = `must be two numbers such as ${least * 20}/${least * 100}, of each user and of his unit, each at least ${least}`
        context.issues.push({ code: 'custom', message, input: text })
        return z.NEVER
      }),
    ),
    { user, unit },
  )
export const url = (...beginnings: string[]) =>
  z.string().check(
    z.refine(text => URL.canParse(text) && beginnings.some(beginning => text.startsWith(beginning)), {
      error: `must be a URL starting with ${beginnings.join(' or ')}`,
    }),
  )
export const web = url('https://', 'http://')
/** Where a whole site is, and nothing behind it. */
export function isOrigin(text: string): boolean {
  const { protocol = '', origin = '' } = URL.parse(text) ?? {}
  return /^https?:$/.test(protocol) && [origin, `${origin}/`].includes(text)
}
export const list = z.pipe(
  z.string(),
  z.transform(text =>
    text
      .split(',')
      .map(item => item.trim())
      .filter(Boolean),
  ),
)

export const howToMakeKey = 'must be 32 bytes in base64: openssl rand -base64 32'
export const secretsKeys = z.pipe(
  list,
  z.array(z.string().check(z.refine(isSecretsKey, { error: howToMakeKey }))).check(z.minLength(1, howToMakeKey)),
)

/** A password's own `%` must be written `%25`. */
export function isSmtpUrl(text: string): boolean {
  const parts = URL.parse(text)
  return Boolean(parts?.hostname) && /^smtps?:$/.test(parts?.protocol ?? '') && !/%(?![0-9a-f]{2})/i.test(text)
}

/** What tells tickets apart is added behind a plus sign, and 64 characters is all that stands before the @. */
export const isPlainAddress = (text: string): boolean => isOneAddress(text) && /^[^+@]{1,8}@/.test(text)

export const routeRules = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const rules = readRouteRules(text)
    if (typeof rules !== 'string') return rules
    context.issues.push({ code: 'custom', message: rules, input: text })
    return z.NEVER
  }),
)

/** `true`, a number of hops, or addresses and networks with commas between them. */
export function isProxies(text: string): boolean {
  if (/^(?:true|false|[1-9])$/.test(text)) return true
  return text.split(',').every(part => {
    const [address = '', bits] = part.trim().split('/')
    const most = { 4: 32, 6: 128 }[isIP(address)]
    return most !== undefined && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  })
}
