import { parseArgs } from 'node:util'
import type { Check } from './samples.ts'
import { say } from '../steps.mjs'
import { fileChecks } from './files.ts'
import { imageChecks } from './image.ts'
import { proxyChecks } from './plays.ts'

// `npm run deploy-check [-- --image]` checks deploy/ with the real programs and plays its topology. It needs nginx, caddy, systemd and PostgreSQL
// (Debian's packages); with --image also mmdebstrap and buildah, which build the image on a base made here.

const { values } = parseArgs({ options: { image: { type: 'boolean', default: false } } })
let [passed, failed] = [0, 0]

const check: Check = async (title, work) => {
  try {
    const figure = await work()
    passed += 1
    say(`held: ${title}${figure ? ` (${figure})` : ''}`)
  } catch (error) {
    failed += 1
    console.log(`FAIL ${title}\n${String(error instanceof Error ? error.message : error).replaceAll(/^/gm, '   | ')}`)
  }
}

for (const group of [fileChecks, proxyChecks, ...(values.image ? [imageChecks] : [])])
  await group(check).catch(error =>
    check('what the checks need is there', () => {
      throw error
    }),
  )
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
