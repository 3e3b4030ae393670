import { database } from './database.ts'
import type { Drill } from './drill.ts'
import { killed } from './killed.ts'
import { provider } from './provider.ts'
import { races } from './races.ts'

export const drills: Drill[] = [...killed, ...database, ...provider, ...races]
