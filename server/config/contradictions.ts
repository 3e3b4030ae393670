import type { Config, ConfigFault } from './settings.ts'
import { addressOf } from '#server/mail/public.ts'
import { howToMakeKey, isOrigin } from './kinds.ts'

/** What each setting allows by itself, and not together with the others. */
export function* contradictions(config: Config): Generator<ConfigFault> {
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
  if (isExample(config.MAIL_FROM))
    yield { name: 'MAIL_FROM', fault: `is the example ${addressOf(config.MAIL_FROM)}: production needs a sender of yours` }
  if (config.DEMO) yield { name: 'DEMO', fault: 'cannot be in production: everybody knows the password of its users' }
  for (const name of seenByPeople)
    if (isReadByAll(config[name])) yield { name, fault: 'must begin with https in production: passwords and sessions go there' }
}

/** Of a domain that is nobody's: whatever is sent from there is refused or lost, and no answer arrives. */
const isExample = (sender: string): boolean => /[@.]example(?:\.(?:com|net|org))?$/i.test(addressOf(sender) ?? '')

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
