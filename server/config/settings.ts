import * as z from 'zod/mini'
import { isLocale } from '#common/kit/locales.ts'
import { addressOf } from '#server/kit/mail-address.ts'
import {
  flag,
  isOrigin,
  isPlainAddress,
  isProxies,
  isSmtpUrl,
  list,
  oneOf,
  perMinute,
  readS3Url,
  routeRules,
  secretsKeys,
  url,
  web,
  wholeNumber,
} from './kinds.ts'

/** All settings; `.env.example` and docs/operations.md describe each. An empty value counts as absent. */
export const settings = z.object({
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
  BACKUP_KEY: z.optional(secretsKeys),
  SUPPRESSION_FILE: z.optional(z.string().check(z.minLength(1))),
  DOCUMENTS_WAIT_MS: z._default(wholeNumber(0, 10_000), 2000),
  STOP_DELAY_MS: z._default(wholeNumber(0, 60_000), 0),
  DATABASE_URL: z.optional(url('postgres://', 'postgresql://')),
  DATABASE_POOL: z._default(wholeNumber(2, 500), 12),
  LOG_LEVEL: z._default(oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(16, 'must have at least 16 characters'))),
  RATE_LIMIT_PER_MINUTE: z._default(wholeNumber(1, 10_000_000), 30_000),
  QUOTES_PER_MINUTE: perMinute(3000, 9000),
  EXPORTS_PER_MINUTE: perMinute(60, 200),
  // One call sends to at most ten addresses.
  MAILS_PER_MINUTE: perMinute(500, 2000, 10),
  // Registering counts once, and purchasing once.
  SALES_PER_MINUTE: perMinute(300, 1200),
  // Faster than people fill in forms, but slow for a program that collects addresses.
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

export type ConfigProblem = { name: string; problem: string }
