import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Yields the lines of a text file, compressed or not. Throws if the file is missing or damaged. */
export function linesOf(path: string, isCompressed: boolean): AsyncGenerator<string> {
  const file = createReadStream(path)
  return linesIn(isCompressed ? pipeline(file, createGunzip(), () => {}) : file)
}

export async function* linesIn(input: Readable): AsyncGenerator<string> {
  let rest = ''
  // Safe: with an encoding, chunks are strings.
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
  }
  if (rest !== '') yield rest
}
