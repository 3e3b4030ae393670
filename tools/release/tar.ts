import { constants, gzipSync } from 'node:zlib'

export type Entry = { path: string; content: Buffer; runs?: boolean }

/** Returns a packed POSIX archive (ustar). Names are sorted, owners and times fixed, so equal files give equal bytes. */
export function packed(entries: Entry[], folder: string): Buffer {
  const folders = new Set<string>()
  for (const { path } of entries) for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.add(path.slice(0, at))
  const all = [...entries, ...[...folders].map(path => ({ path: `${path}/`, content: Buffer.alloc(0), runs: true })), rootOf()]
  const blocks = all
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(entry => [header(entry, `${folder}/${entry.path}`), entry.content, Buffer.alloc((512 - (entry.content.length % 512)) % 512)])
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), { level: constants.Z_BEST_COMPRESSION })
}

const rootOf = (): Entry => ({ path: '', content: Buffer.alloc(0), runs: true })

/** 1 January 2020, because some programs treat time zero as missing. */
const time = 1_577_836_800

function header({ content, runs = false }: Entry, full: string): Buffer {
  const block = Buffer.alloc(512)
  const [prefix, name] = split(full)
  const octal = (value: number, at: number, length: number) => block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  block.write(name, 0, 'utf8')
  octal(runs ? 0o755 : 0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(content.length, 124, 12)
  octal(time, 136, 12)
  block.fill(' ', 148, 156)
  block.write(full.endsWith('/') ? '5' : '0', 156, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  octal(0, 329, 8)
  octal(0, 337, 8)
  block.write(prefix, 345, 'utf8')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

/** A long path is written in two parts, split at a slash. */
function split(path: string): [string, string] {
  if (Buffer.byteLength(path) <= 100) return ['', path]
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    if (Buffer.byteLength(path.slice(at + 1)) <= 100 && at <= 155 && at + 1 < path.length) return [path.slice(0, at), path.slice(at + 1)]
  throw new Error(`${path} is too long for an archive`)
}
