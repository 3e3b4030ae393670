/** A mailed link's token comes behind `#`, which no server, log or other site is ever sent, and leaves the address at once. */
export function takeLinkToken(): string {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token') ?? ''
  window.history.replaceState(window.history.state, '', window.location.pathname)
  return token
}
