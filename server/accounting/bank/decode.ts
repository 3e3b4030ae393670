const western = new Set(['iso-8859-1', 'iso-8859-15', 'windows-1252', 'us-ascii'])
const declared = /^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w-]{1,40})["']/

/** Decodes a bank's file by its XML declaration, else as UTF-8, else as Windows-1252, which banks still use. */
export function decodeBankFile(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 300).toString('latin1').replace(/^ï»¿/, '')
  const encoding = declared.exec(head)?.[1]?.toLowerCase() ?? 'utf-8'
  if (western.has(encoding)) return new TextDecoder(encoding).decode(bytes)
  if (encoding !== 'utf-8') return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return /^\s*</.test(head) ? undefined : new TextDecoder('windows-1252').decode(bytes)
  }
}
