/** URL parsing, which browser and Node share. `common` may use no other API of either. */
declare class URL {
  static parse(url: string, base?: string): URL | null
  readonly origin: string
  readonly protocol: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
  readonly href: string
  readonly username: string
  readonly password: string
}

declare class URLSearchParams {
  constructor(query: string)
  get(name: string): string | null
}
