/** Returns the token after `#` in an emailed link, and removes it from the URL. Browsers send that part to no server. */
export function takeLinkToken(): string {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token') ?? ''
  window.history.replaceState(window.history.state, '', window.location.pathname)
  return token
}
