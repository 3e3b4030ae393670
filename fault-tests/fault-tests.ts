import { alarms } from './alarms.ts'
import { database } from './database.ts'
import type { FaultTest } from './fault-test.ts'
import { keeping } from './keeping.ts'
import { killed } from './killed.ts'
import { mail } from './mail.ts'
import { nodes } from './nodes.ts'
import { provider } from './provider.ts'
import { races } from './races.ts'
import { simulation } from './simulation.ts'
import { store } from './store.ts'
import { tls } from './tls.ts'
import { versions } from './versions.ts'

export const faultTests: FaultTest[] = [
  ...killed,
  ...database,
  ...provider,
  ...mail,
  ...races,
  ...nodes,
  ...keeping,
  ...store,
  ...simulation,
  ...alarms,
  ...versions,
  ...tls,
]
