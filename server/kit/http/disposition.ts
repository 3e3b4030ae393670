/** Returns a Content-Disposition header (RFC 6266) with a name in any script. It also has a plain name for old programs. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const shown = name.replaceAll(/[\p{C}/\\]/gu, '_')
  const plain = shown
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]|["%;]/g, '_')
  const encoded = encodeURIComponent(shown).replaceAll(/['()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
