import { createHash, randomInt } from 'node:crypto'

type Environment = Record<string, string | undefined>

/** The environment variable with the number of an exploring run. Without it, each test draws the same values in every run. */
const variable = 'TEST_SEED'

/** Returns the seed of a test's property: a hash of its file, its full title and the run's number. `title` has all its parts, joined by ' > '. */
export const seedOf = (file: string, title: string, number = ''): number =>
  createHash('sha256')
    .update(JSON.stringify([file, title, number]))
    .digest()
    .readUInt32BE() >>> 1

export const numberOfRun = (environment: Environment = process.env): string | undefined => environment[variable]

/** Returns the number for `--seed`: the given one, or a random one. */
export function numberFrom(seed: string | undefined): string | undefined {
  if (seed === 'random') return String(randomInt(1_000_000))
  return seed && /^\d+$/.test(seed) ? seed : undefined
}

/** Removes `--seed` from the arguments, and sets the number of the run, which `random` draws. Returns the rest, or the problem. */
export function takeSeed(given: string[], environment: Environment = process.env): string[] | string {
  const index = given.findIndex(each => each === '--seed' || each.startsWith('--seed='))
  if (index < 0) return given
  const isOneWord = given[index] !== '--seed'
  const seed = isOneWord ? given[index]?.slice('--seed='.length) : given[index + 1]
  environment[variable] = numberFrom(seed)
  if (!environment[variable]) return '--seed takes a whole number, or `random`.'
  return given.toSpliced(index, isOneWord ? 1 : 2)
}

/** Returns the line with the command that repeats a run of that number. */
export function repeatLine(command: string, given: string[], number: string): string {
  const words = given.map(word => (/^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
  return `Seed ${number}. To repeat: ${[command, '--', ...words, '--seed', number].join(' ')}`
}
