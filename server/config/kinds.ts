import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import * as z from 'zod/mini'
import type { RouteRules } from '#common/shell/routes.ts'
import { routeRules as routeRulesShape } from '#common/shell/schemas.ts'
import { isSecretsKey } from '#server/kit/store/secrets.ts'
import { isOneAddress } from '#server/kit/mail-address.ts'

// The kinds of values that settings have, each with its error message.

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
/** Reads `3000/9000`: the limit of each user, and the limit of the whole unit. */
export const perMinute = (user: number, unit: number, least = 1) =>
  z._default(
    z.pipe(
      z.string(),
      z.transform((text, context) => {
        const [, user, unit] = (/^(\d{1,8})\/(\d{1,8})$/.exec(text) ?? []).map(Number)
        if (user !== undefined && unit !== undefined && Math.min(user, unit) >= least) return { user, unit }
        const message = `must be two numbers such as ${least * 20}/${least * 100}, for each user and for the unit, each at least ${least}`
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
/** True for the origin of a site, without a path. */
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

/** True for an SMTP URL. A `%` in its password must be written `%25`. */
export function isSmtpUrl(text: string): boolean {
  const parts = URL.parse(text)
  return Boolean(parts?.hostname) && /^smtps?:$/.test(parts?.protocol ?? '') && !/%(?![0-9a-f]{2})/i.test(text)
}

/** True for an address with at most 8 characters, and no plus sign, before the @. Each ticket adds its own tag after a plus sign. */
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

/** Reads the setting ROUTE_RULES: the rules themselves, or a file that holds them. Returns a message for the operator if they are invalid. */
function readRouteRules(setting: string): RouteRules | string {
  const text = setting.trim().startsWith('{') ? setting : contentOf(setting)
  if (text === undefined) return `is neither JSON such as {"/old":{"redirect":"/new"}} nor a readable file`
  try {
    const parsed = routeRulesShape.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    return `${issue?.path.join(' → ')} ${issue?.message}`
  } catch {
    return 'is not well-formed JSON'
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** True for `true`, a number of hops, or addresses and networks separated by commas. */
export function isProxies(text: string): boolean {
  if (/^(?:true|false|[1-9])$/.test(text)) return true
  return text.split(',').every(part => {
    const [address = '', bits] = part.trim().split('/')
    const most = { 4: 32, 6: 128 }[isIP(address)]
    return most !== undefined && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  })
}

export type Bucket = { origin: string; root: string; region: string; accessKey: string; secret: string }

/** Reads `s3://key:secret@host[:port]/bucket[/folder]?region=eu-west-1`; `&tls=false` for http. */
export function readS3Url(text: string): Bucket | undefined {
  const url = URL.parse(text)
  const [, bucket, ...folder] = url?.pathname.split('/') ?? []
  if (url?.protocol !== 's3:' || !url.host || !bucket || !url.username || !url.password) return undefined
  const { searchParams } = url
  return {
    origin: `${searchParams.get('tls') === 'false' ? 'http' : 'https'}://${url.host}`,
    root: ['', bucket, ...folder.filter(Boolean)].join('/'),
    region: searchParams.get('region') ?? 'us-east-1',
    accessKey: decodeURIComponent(url.username),
    secret: decodeURIComponent(url.password),
  }
}
