import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** The lines of a text file, packed or not. A file that is missing or damaged is an error of whoever reads. */
export async function* linesOf(path: string, packed: boolean): AsyncGenerator<string> {
  const file = createReadStream(path)
  const input = packed ? pipeline(file, createGunzip(), () => {}) : file
  let rest = ''
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
  }
  if (rest !== '') yield rest
}
