import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { leave, commandSettings, say } from '#server/command.ts'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/kit/database.ts'
import { openSecrets } from '#server/kit/store/secrets.ts'
import { adoptStore, stateOf } from './claim.ts'
import { survey, surveyReport } from './survey.ts'
import { openStore } from '../open-store.ts'
import { sealFiles, sealingReport } from '../sealed/seal-files.ts'

const [command, ...more] = process.argv.slice(2)
if ((command !== 'adopt' && command !== 'check' && command !== 'seal') || more.length > 0)
  leave('Usage: npm run files -- check | npm run files -- adopt | npm run files -- seal')
const config = commandSettings(process.env)
if (!config.DATABASE_URL && !existsSync(join(config.DATA_DIR, 'postgres')))
  leave(`There is no database in ${config.DATA_DIR}. Name the one whose files are meant by DATA_DIR or DATABASE_URL.`)

const states = {
  adopted: 'is the installation’s from now on. Give all nodes this one; a node with another does not start any more',
  own: 'is the installation’s',
  unmarked: 'does not carry the installation’s marker',
  foreign: 'carries another marker than the installation’s',
}

const database = await openDatabase(config)
try {
  await migrate(database, say)
  const store = openStore(config)
  const state = command === 'adopt' ? await adoptStore(database, store) : await stateOf(database, store)
  console.log(`The file store ${store.address} ${states[state]}.`)
  if (command === 'seal') {
    if (state !== 'own') leave('Nothing was sealed: the files of another installation are left alone.')
    const sealing = await sealFiles(database, store, openSecrets(config))
    console.log(sealingReport(sealing))
    if (sealing.damaged > 0) process.exitCode = 1
  } else {
    const found = await survey(database, store)
    console.log(surveyReport(found))
    if (command === 'check' && (state !== 'own' || found.lost.length > 0)) process.exitCode = 1
  }
} finally {
  await database.close()
}
