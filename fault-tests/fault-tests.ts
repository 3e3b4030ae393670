import { alarms } from './alarms.ts'
import { book } from './book.ts'
import { bookFiles } from './book-files.ts'
import { database } from './database.ts'
import { changes } from './changes.ts'
import { citus } from './citus.ts'
import type { FaultTest } from './fault-test.ts'
import { operations } from './operations.ts'
import { crashes } from './crashes.ts'
import { links } from './links.ts'
import { linkRaces } from './link-races.ts'
import { mail } from './mail.ts'
import { nodes } from './nodes.ts'
import { cardChanges } from './card-changes.ts'
import { clients } from './client.ts'
import { cardNetwork } from './card-network.ts'
import { races } from './races.ts'
import { sessions } from './sessions.ts'
import { simulation } from './simulation.ts'
import { store } from './store.ts'
import { tls } from './tls.ts'
import { versions } from './versions.ts'

export const faultTests: FaultTest[] = [
  ...crashes,
  ...database,
  ...cardNetwork,
  ...mail,
  ...races,
  ...nodes,
  ...sessions,
  ...operations,
  ...store,
  ...simulation,
  ...changes,
  ...cardChanges,
  ...clients,
  ...links,
  ...linkRaces,
  ...book,
  ...bookFiles,
  ...alarms,
  ...versions,
  ...tls,
  ...citus,
]
