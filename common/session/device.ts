/** The device of a session, by its user agent. A text is empty if the user agent lacks it. */
export type Device = { browser: string; system: string; kind: 'computer' | 'phone' | 'other' }

/** Browser names, the more specific first, as each browser also claims to be several others. */
const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdgA?(?:iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
]
const systems: [name: string, pattern: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

export function deviceOf(userAgent: string): Device {
  const browser = nameIn(browsers, userAgent)
  const system = nameIn(systems, userAgent)
  const phone = /\bMobile\b/.test(userAgent) || system === 'iPhone'
  return { browser, system, kind: phone ? 'phone' : browser && system ? 'computer' : 'other' }
}

const nameIn = (names: [string, RegExp][], text: string): string => names.find(([, pattern]) => pattern.test(text))?.[0] ?? ''
