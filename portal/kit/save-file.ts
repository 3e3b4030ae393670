/** Hands a file to the browser, as if it had been downloaded. */
export function saveFile({ name, content }: { name: string; content: Blob }): void {
  const address = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  // The browser reads it after this turn; then nobody else needs it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
