import type { CookieSerializeOptions } from '@fastify/cookie'
import { leavingCookies } from '#common/session/leaving.ts'
import type { Config } from '#server/config.ts'
import type { Cookies } from '#server/kit/serve.ts'

const year = 31_536_000
/** The lifetime of a one-time token, with a margin for slow pages of an external sign-in host. */
const flowSeconds = 600

const isHttps = (config: Config): boolean => config.PUBLIC_URL?.startsWith('https:') ?? false

/** Adds the prefix with which browsers refuse the cookie to other hosts and over plain http. */
const named = (config: Config, name: string): string => (isHttps(config) ? `__Host-${name}` : name)

export const sessionCookie = (config: Config): string => named(config, 'session')

export const flowCookie = (config: Config): string => named(config, 'flow')

export const deviceCookie = (config: Config): string => named(config, 'device')

const flags = (config: Config, maxAge: number): CookieSerializeOptions => ({
  path: '/',
  maxAge,
  sameSite: 'lax',
  httpOnly: true,
  secure: isHttps(config),
})

/** Returns the name of the portal's own cookie (common/session/leaving.ts). The service only reads it. */
export const leavingCookie = (config: Config): string => leavingCookies[isHttps(config) ? 0 : 1]

export type SessionCookie = { loggedIn: boolean; email: string; accessToken: string }

export const setSession = (config: Config, cookies: Cookies, session: SessionCookie): void =>
  cookies.set(sessionCookie(config), JSON.stringify(session), flags(config, year))

export const clearSession = (config: Config, cookies: Cookies): void => cookies.set(sessionCookie(config), '', flags(config, 0))

export const setFlow = (config: Config, cookies: Cookies, flow: string): void =>
  cookies.set(flowCookie(config), flow, flags(config, flowSeconds))

export const clearFlow = (config: Config, cookies: Cookies): void => cookies.set(flowCookie(config), '', flags(config, 0))

export const setDevice = (config: Config, cookies: Cookies, device: string): void =>
  cookies.set(deviceCookie(config), device, flags(config, year))

export function readSessionCookie(text: string | undefined): string | undefined {
  try {
    const read: { accessToken?: unknown } | null = JSON.parse(text ?? '')
    return typeof read?.accessToken === 'string' ? read.accessToken : undefined
  } catch {
    return undefined
  }
}
