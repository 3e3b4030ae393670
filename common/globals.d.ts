/** What every side has though no room of `common` may assume a browser or Node: the reading of an address and of its query. */
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
