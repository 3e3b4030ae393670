import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { isLocale } from '#common/kit/locales.ts'
import { isSecretsKey } from './kit/store/secrets.ts'
import { readS3Url } from './documents/s3.ts'
import { addressOf, isOneAddress } from './mail/address.ts'
import { readRouteRules } from './shell/route-rules.ts'

const oneOf = <const T extends readonly [string, ...string[]]>(names: T) => z.enum(names, { error: `must be one of ${names.join(', ')}` })
const flag = z.pipe(
  oneOf(['true', 'false', '1', '0']),
  z.transform(text => text === 'true' || text === '1'),
)
const wholeNumber = (least: number, most: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/, 'must be a whole number')),
    z.pipe(z.transform(Number), z.number().check(z.gte(least, `must be at least ${least}`), z.lte(most, `must be at most ${most}`))),
  )
/** `3000/9000`: of each user, and of his unit as a whole. */
const perMinute = (user: number, unit: number, least = 1) =>
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
const url = (...beginnings: string[]) =>
  z.string().check(
    z.refine(text => URL.canParse(text) && beginnings.some(beginning => text.startsWith(beginning)), {
      error: `must be a URL starting with ${beginnings.join(' or ')}`,
    }),
  )
const web = url('https://', 'http://')
/** Where a whole site is, and nothing behind it. */
function isOrigin(text: string): boolean {
  const { protocol = '', origin = '' } = URL.parse(text) ?? {}
  return /^https?:$/.test(protocol) && [origin, `${origin}/`].includes(text)
}
const list = z.pipe(
  z.string(),
  z.transform(text =>
    text
      .split(',')
      .map(item => item.trim())
      .filter(Boolean),
  ),
)

const howToMakeKey = 'must be 32 bytes in base64: openssl rand -base64 32'
const secretsKeys = z.pipe(
  list,
  z.array(z.string().check(z.refine(isSecretsKey, { error: howToMakeKey }))).check(z.minLength(1, howToMakeKey)),
)

/** A password's own `%` must be written `%25`. */
function isSmtpUrl(text: string): boolean {
  const parts = URL.parse(text)
  return Boolean(parts?.hostname) && /^smtps?:$/.test(parts?.protocol ?? '') && !/%(?![0-9a-f]{2})/i.test(text)
}

/** What tells tickets apart is added behind a plus sign, and 64 characters is all that stands before the @. */
const isPlainAddress = (text: string): boolean => isOneAddress(text) && /^[^+@]{1,8}@/.test(text)

const routeRules = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const rules = readRouteRules(text)
    if (typeof rules !== 'string') return rules
    context.issues.push({ code: 'custom', message: rules, input: text })
    return z.NEVER
  }),
)

/** `true`, a number of hops, or addresses and networks with commas between them. */
function isProxies(text: string): boolean {
  if (/^(?:true|false|[1-9])$/.test(text)) return true
  return text.split(',').every(part => {
    const [address = '', bits] = part.trim().split('/')
    const most = { 4: 32, 6: 128 }[isIP(address)]
    return most !== undefined && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  })
}

/** Every setting there is; `.env.example` and docs/operations.md describe each. An empty value counts as absent. */
const settings = z.object({
  NODE_ENV: z._default(oneOf(['development', 'test', 'production']), 'development'),
  PORT: z._default(wholeNumber(0, 65_535), 3000),
  HOST: z._default(z.string(), '127.0.0.1'),
  PUBLIC_URL: z.optional(
    z.string().check(z.refine(isOrigin, { error: 'must be an origin such as https://portal.example, without a path' })),
  ),
  TRUST_PROXY: z.optional(
    z
      .string()
      .check(z.refine(isProxies, { error: 'must be true (one proxy), how many there are, or their addresses: 10.0.0.1, 10.1.0.0/16' })),
  ),
  DATA_DIR: z._default(z.string(), '.data'),
  SECRETS_KEY: z.optional(secretsKeys),
  FILE_STORE: z.optional(
    z.string().check(
      z.refine(text => /^file:[^:]/.test(text) || readS3Url(text) !== undefined, {
        error: 'must be file:<folder>, or s3://key:secret@host/bucket?region=… (with &tls=false where there is no https)',
      }),
    ),
  ),
  PAPERS_WAIT_MS: z._default(wholeNumber(0, 10_000), 2000),
  STOP_DELAY_MS: z._default(wholeNumber(0, 60_000), 0),
  DATABASE_URL: z.optional(url('postgres://', 'postgresql://')),
  DATABASE_POOL: z._default(wholeNumber(2, 500), 12),
  LOG_LEVEL: z._default(oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(16, 'must have at least 16 characters'))),
  RATE_LIMIT_PER_MINUTE: z._default(wholeNumber(1, 10_000_000), 30_000),
  QUOTES_PER_MINUTE: perMinute(3000, 9000),
  EXPORTS_PER_MINUTE: perMinute(60, 200),
  // One call sends to ten at most.
  MAILS_PER_MINUTE: perMinute(500, 2000, 10),
  // Registering counts once, and purchasing once.
  SALES_PER_MINUTE: perMinute(300, 1200),
  // Faster than anybody fills forms in; whoever collects addresses is held up.
  LOOKS_PER_MINUTE: perMinute(60, 600),
  DEFAULT_LOCALE: z._default(z.string().check(z.refine(isLocale, { error: 'must be one of the five languages, such as es-ES' })), 'en-EN'),
  SESSION_IDLE_HOURS: z._default(wholeNumber(1, 720), 12),
  SESSION_DAYS: z._default(wholeNumber(1, 365), 30),
  REDIRECT_ORIGINS: z._default(list, []),
  AUTH_HOST_URL: z.optional(web),
  AUTH_HOST_JWKS: z.optional(web),
  OIDC_ISSUER: z.optional(web),
  OIDC_CLIENT_ID: z.optional(z.string()),
  OIDC_CLIENT_SECRET: z.optional(z.string()),
  SMTP_URL: z.optional(z.string().check(z.refine(isSmtpUrl, { error: 'must be a URL such as smtp://user:password@mail.example:587' }))),
  MAIL_FROM: z._default(
    z.string().check(z.refine(text => addressOf(text) !== undefined, { error: 'must be one address, such as no-reply@agency.example' })),
    'Portolan <no-reply@portolan.example>',
  ),
  INBOUND_MAIL_ADDRESS: z.optional(
    z
      .string()
      .check(z.refine(isPlainAddress, { error: 'must be one short address without a plus sign, such as tickets@in.agency.example' })),
  ),
  INBOUND_MAIL_SECRET: z.optional(z.string().check(z.minLength(16, 'must have at least 16 characters'))),
  ROUTE_RULES: z.optional(routeRules),
  MAINTENANCE: z._default(flag, false),
  STRIPE_SECRET_KEY: z.optional(z.string().check(z.regex(/^(?:sk|rk)_(?:test|live)_\w+$/, 'must begin with sk_test_, sk_live_ or rk_'))),
  STRIPE_PUBLISHABLE_KEY: z.optional(z.string().check(z.regex(/^pk_(?:test|live)_\w+$/, 'must begin with pk_test_ or pk_live_'))),
  STRIPE_WEBHOOK_SECRET: z.optional(z.string().check(z.minLength(16, 'must have at least 16 characters'))),
  STRIPE_API_URL: z.optional(web),
  DEMO: z.optional(flag),
})

export const settingNames = Object.keys(settings.def.shape)

export type Config = z.output<typeof settings> & {
  production: boolean
  /** Seeds the demo's insurer, agencies and users. */
  demo: boolean
}

export type ConfigFault = { name: string; fault: string }

/** The only reader of the environment: either a whole configuration, or one readable fault for each wrong value. */
export function readConfig(environment: Record<string, string | undefined>): Config | ConfigFault[] {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const parsed = settings.safeParse(given)
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(issue => ({ name: String(issue.path[0]), fault: issue.message }))
    return [...wrong, ...faultsBeside(new Set(wrong.map(({ name }) => name)), given)]
  }
  const production = parsed.data.NODE_ENV === 'production'
  const config: Config = { ...parsed.data, production, demo: parsed.data.DEMO ?? !production }
  const faults = [...contradictions(config)]
  return faults.length > 0 ? faults : config
}

/** What else there is to mend, as far as it can be told while these are wrong. */
function faultsBeside(wrong: ReadonlySet<string>, given: Record<string, string | undefined>): ConfigFault[] {
  const rest = readConfig(Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name))))
  return Array.isArray(rest) ? rest.filter(({ name, fault }) => ![...wrong].some(each => name === each || fault.includes(each))) : []
}

function* contradictions(config: Config): Generator<ConfigFault> {
  if (Boolean(config.AUTH_HOST_URL) !== Boolean(config.AUTH_HOST_JWKS))
    yield {
      name: config.AUTH_HOST_URL ? 'AUTH_HOST_JWKS' : 'AUTH_HOST_URL',
      fault: 'AUTH_HOST_URL and AUTH_HOST_JWKS must be set together',
    }
  const oidc = [config.OIDC_ISSUER, config.OIDC_CLIENT_ID, config.OIDC_CLIENT_SECRET].filter(Boolean).length
  if (oidc > 0 && oidc < 3) yield { name: 'OIDC_ISSUER', fault: 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together' }
  if (oidc > 0 && config.AUTH_HOST_URL)
    yield { name: 'OIDC_ISSUER', fault: 'cannot be combined with AUTH_HOST_URL: choose one way to sign in' }
  for (const origin of config.REDIRECT_ORIGINS)
    if (!isOrigin(origin) || origin.endsWith('/'))
      yield { name: 'REDIRECT_ORIGINS', fault: `'${origin}' is not an origin such as https://shop.example` }
  if (Boolean(config.INBOUND_MAIL_ADDRESS) !== Boolean(config.INBOUND_MAIL_SECRET))
    yield {
      name: config.INBOUND_MAIL_ADDRESS ? 'INBOUND_MAIL_SECRET' : 'INBOUND_MAIL_ADDRESS',
      fault: 'INBOUND_MAIL_ADDRESS and INBOUND_MAIL_SECRET must be set together',
    }
  yield* contradictionsInPaying(config)
  if (config.production) yield* contradictionsInProduction(config)
}

/** Where people's browsers are sent, or keys are fetched from. */
const seenByPeople = ['PUBLIC_URL', 'AUTH_HOST_URL', 'AUTH_HOST_JWKS', 'OIDC_ISSUER'] as const

/** What a trial may do, and those who sell in earnest may not. The embedded database they may: only live keys ask for a server. */
function* contradictionsInProduction(config: Config): Generator<ConfigFault> {
  if (!config.PUBLIC_URL) yield { name: 'PUBLIC_URL', fault: 'is needed in production: mails and sign-in link to it' }
  if (!config.SMTP_URL) yield { name: 'SMTP_URL', fault: 'is needed in production: nothing else delivers mail' }
  if (config.DATABASE_URL && !config.SECRETS_KEY)
    yield { name: 'SECRETS_KEY', fault: `is needed with a server in production, the same on every node: ${howToMakeKey}` }
  if (config.DEMO) yield { name: 'DEMO', fault: 'cannot be in production: everybody knows the password of its users' }
  for (const name of seenByPeople)
    if (isReadByAll(config[name])) yield { name, fault: 'must begin with https in production: passwords and sessions go there' }
}

/** Without https, and further than to this machine itself. */
function isReadByAll(address: string | undefined): boolean {
  const { protocol, hostname } = URL.parse(address ?? '') ?? {}
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname ?? '')
}

/** Test money for real policies, or real money for a trial: neither may begin. */
function* contradictionsInPaying(config: Config): Generator<ConfigFault> {
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable, STRIPE_WEBHOOK_SECRET: webhook, STRIPE_API_URL: apiUrl } = config
  if (Boolean(secret) !== Boolean(publishable)) {
    const name = secret ? 'STRIPE_PUBLISHABLE_KEY' : 'STRIPE_SECRET_KEY'
    yield { name, fault: 'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must be set together' }
  }
  if (!secret || !publishable) return
  const live = secret.includes('_live_')
  if (live !== publishable.startsWith('pk_live_'))
    yield { name: 'STRIPE_PUBLISHABLE_KEY', fault: 'one of the two keys is live and the other is for tests' }
  if (live && !config.production) yield { name: 'STRIPE_SECRET_KEY', fault: 'is live: that needs NODE_ENV=production' }
  if (live && !config.DATABASE_URL) yield { name: 'STRIPE_SECRET_KEY', fault: 'is live: that needs a server, named by DATABASE_URL' }
  if (live && !webhook) yield { name: 'STRIPE_WEBHOOK_SECRET', fault: 'is needed with live keys' }
  if (live && apiUrl) yield { name: 'STRIPE_API_URL', fault: 'leads live keys elsewhere than to Stripe' }
  if (!live && config.production) yield { name: 'STRIPE_SECRET_KEY', fault: 'is for tests: production would sell for nothing' }
}
