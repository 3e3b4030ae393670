import type { Config, ConfigProblem } from './settings.ts'
import { addressOf } from '#server/kit/mail-address.ts'
import { howToMakeKey, isOrigin } from './kinds.ts'

/** Yields a problem for each value that is valid alone, but not together with the other settings. */
export function* contradictions(config: Config): Generator<ConfigProblem> {
  if (Boolean(config.AUTH_HOST_URL) !== Boolean(config.AUTH_HOST_JWKS))
    yield {
      name: config.AUTH_HOST_URL ? 'AUTH_HOST_JWKS' : 'AUTH_HOST_URL',
      problem: 'AUTH_HOST_URL and AUTH_HOST_JWKS must be set together',
    }
  const oidc = [config.OIDC_ISSUER, config.OIDC_CLIENT_ID, config.OIDC_CLIENT_SECRET].filter(Boolean).length
  if (oidc > 0 && oidc < 3)
    yield { name: 'OIDC_ISSUER', problem: 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together' }
  if (oidc > 0 && config.AUTH_HOST_URL)
    yield { name: 'OIDC_ISSUER', problem: 'cannot be combined with AUTH_HOST_URL: choose one way to sign in' }
  for (const origin of config.REDIRECT_ORIGINS)
    if (!isOrigin(origin) || origin.endsWith('/'))
      yield { name: 'REDIRECT_ORIGINS', problem: `'${origin}' is not an origin such as https://shop.example` }
  if (Boolean(config.INBOUND_MAIL_ADDRESS) !== Boolean(config.INBOUND_MAIL_SECRET))
    yield {
      name: config.INBOUND_MAIL_ADDRESS ? 'INBOUND_MAIL_SECRET' : 'INBOUND_MAIL_ADDRESS',
      problem: 'INBOUND_MAIL_ADDRESS and INBOUND_MAIL_SECRET must be set together',
    }
  yield* contradictionsInPaying(config)
  if (config.production) yield* contradictionsInProduction(config)
}

/** Settings with an address that browsers are sent to, or that keys are fetched from. */
const publicAddresses = ['PUBLIC_URL', 'AUTH_HOST_URL', 'AUTH_HOST_JWKS', 'OIDC_ISSUER'] as const

/** Yields what a trial may do but production may not. The embedded database is allowed: only live keys require a server. */
function* contradictionsInProduction(config: Config): Generator<ConfigProblem> {
  if (!config.PUBLIC_URL) yield { name: 'PUBLIC_URL', problem: 'is needed in production: mails and sign-in link to it' }
  if (!config.SMTP_URL) yield { name: 'SMTP_URL', problem: 'is needed in production: nothing else delivers mail' }
  if (config.DATABASE_URL && !config.SECRETS_KEY)
    yield { name: 'SECRETS_KEY', problem: `is needed with a server in production, the same on every node: ${howToMakeKey}` }
  if (isExample(config.MAIL_FROM))
    yield { name: 'MAIL_FROM', problem: `is the example ${addressOf(config.MAIL_FROM)}: production needs a sender of yours` }
  if (config.DEMO) yield { name: 'DEMO', problem: 'cannot be in production: everybody knows the password of its users' }
  for (const name of publicAddresses)
    if (isUnencrypted(config[name])) yield { name, problem: 'must begin with https in production: passwords and sessions go there' }
}

/** True for a domain that is reserved for examples. Its mail is refused or lost, and replies never arrive. */
const isExample = (sender: string): boolean => /[@.]example(?:\.(?:com|net|org))?$/i.test(addressOf(sender) ?? '')

/** True for an address without https that is not on this machine. */
function isUnencrypted(address: string | undefined): boolean {
  const { protocol, hostname } = URL.parse(address ?? '') ?? {}
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname ?? '')
}

/** Yields what would take test money for real policies, or real money in a trial. */
function* contradictionsInPaying(config: Config): Generator<ConfigProblem> {
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable, STRIPE_WEBHOOK_SECRET: webhook, STRIPE_API_URL: apiUrl } = config
  if (Boolean(secret) !== Boolean(publishable)) {
    const name = secret ? 'STRIPE_PUBLISHABLE_KEY' : 'STRIPE_SECRET_KEY'
    yield { name, problem: 'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must be set together' }
  }
  if (!secret || !publishable) return
  const live = secret.includes('_live_')
  if (live !== publishable.startsWith('pk_live_'))
    yield { name: 'STRIPE_PUBLISHABLE_KEY', problem: 'one of the two keys is live and the other is for tests' }
  if (live && !config.production) yield { name: 'STRIPE_SECRET_KEY', problem: 'is live: that needs NODE_ENV=production' }
  if (live && !config.DATABASE_URL) yield { name: 'STRIPE_SECRET_KEY', problem: 'is live: that needs a server, named by DATABASE_URL' }
  if (live && !webhook) yield { name: 'STRIPE_WEBHOOK_SECRET', problem: 'is needed with live keys' }
  if (live && apiUrl) yield { name: 'STRIPE_API_URL', problem: 'leads live keys elsewhere than to Stripe' }
  if (!live && config.production) yield { name: 'STRIPE_SECRET_KEY', problem: 'is for tests: production would sell for nothing' }
}
