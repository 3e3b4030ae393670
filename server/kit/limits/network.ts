import { isIP } from 'node:net'

/**
 * Returns the network of an address: IPv4 as it is, or the /64 of IPv6. One home has a whole /64. Some proxies add a port, which a client chooses.
 * Everything that is not an address counts as one network.
 */
export function networkOf(written: string): string {
  const [, bracketed, four] = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/.exec(written) ?? []
  const ip = bracketed ?? four ?? written
  // An entry that stands for several networks has an empty one.
  if (isIP(ip) === 0) return ip && 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped || !ip.includes(':')) return mapped ?? ip
  const [head = '', tail] = ip.toLowerCase().split('%')[0]?.split('::') ?? []
  const first = head.split(':').filter(Boolean)
  const last = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}
