/** Prints a line on standard error: standard output belongs to the command. */
export const say = text => void process.stderr.write(`${text}\n`)

/** @returns {never} */
export function fail(text) {
  say(text)
  process.exit(1)
}

/** Prints the title of a step and its duration; on a terminal, while it runs. */
export async function step(title, work) {
  const began = Date.now()
  const seconds = () => ((Date.now() - began) / 1000).toFixed(1)
  const terminal = process.stderr.isTTY
  if (!terminal) say(`${title} …`)
  const ticking = terminal ? setInterval(() => process.stderr.write(`\r${title} … ${seconds()} s`), 200) : undefined
  try {
    const result = await work()
    say(`${terminal ? '\r' : ''}${title}: done in ${seconds()} s`)
    return result
  } catch (error) {
    say(`${terminal ? '\r' : ''}${title}: failed after ${seconds()} s`)
    throw error
  } finally {
    clearInterval(ticking)
  }
}
