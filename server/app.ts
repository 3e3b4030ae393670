import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { DestinationStream } from 'pino'
import type { Config } from './config.ts'
import { analyze, prepare } from './database/prepare.ts'
import { type Clock, systemClock, timeOrderedIds } from './kit/clock.ts'
import type { Database } from './kit/database.ts'
import type { Front, World } from './kit/front.ts'
import { openAllowance } from '#server/kit/http/quota.ts'
import { serveHealth } from '#server/kit/http/health.ts'
import { openHttp } from '#server/kit/http/http.ts'
import { openLog } from './kit/log.ts'
import { openMetrics } from './kit/metrics.ts'
import { serveOpenApi } from '#server/kit/openapi/openapi.ts'
import { openOutbox } from './kit/work/outbox.ts'
import { openSecrets } from './kit/store/secrets.ts'
import { heldSince } from './kit/work/hold.ts'
import { loadWords } from './kit/words.ts'
import { openWorkers, type Workers } from './kit/workers/workers.ts'
import { serveAdministration } from './administration/serve.ts'
import { geographyPaths } from './geography/openapi.ts'
import { serveGeography } from './geography/serve.ts'
import { serveBusinessUnit } from './business-unit/serve.ts'
import { serveProducts } from './products/serve.ts'
import { purgeQuotes } from './quotes/queries.ts'
import { serveQuotes } from './quotes/serve.ts'
import { openCards, servePayments } from './payments/serve.ts'
import { type Files, openFiles } from './documents/files.ts'
import { openStore } from './documents/open-store.ts'
import { claimStore } from './documents/marker/claim.ts'
import { filePaths } from './documents/openapi.ts'
import { webhookPaths } from './payments/openapi.ts'
import { externalPaths } from './session/external/openapi.ts'
import { inboundPaths } from './tickets/inbound.ts'
import type { PolicyDocuments } from './documents/pdf/documents.ts'
import { serveDocuments } from './documents/serve.ts'
import { reconcile } from './policies/reconcile.ts'
import { readFacts } from './policies/document-facts.ts'
import { validityChecks } from './policies/detail/send.ts'
import { openSales } from './policies/sale/sales.ts'
import { servePolicies } from './policies/serve.ts'
import { serveMail } from './mail/serve.ts'
import { serveAgency } from './agency/serve.ts'
import { removeAbandonedFiles } from './tickets/files.ts'
import { seesTicketFile } from './tickets/read.ts'
import { serveTickets } from './tickets/serve.ts'
import { openAdmission } from './session/admit.ts'
import { purge } from './session/purge.ts'
import { sealStored } from './session/second-factor/seal-stored.ts'
import { serveSession } from './session/serve.ts'
import { refuseCallsInMaintenance } from './shell/maintenance.ts'
import { servePayloads } from './shell/payload.ts'
import { servePortal } from './shell/portal-files.ts'

/** `start` begins the work behind the door (jobs, housekeeping); `stop` finishes what is in flight. */
export type App = { front: Front; world: World; documents: PolicyDocuments; start(): void; stop(): Promise<void> }

/** What a test hands in instead of the real thing. */
export type Given = {
  say?: (text: string) => void
  clock?: Clock
  logTo?: DestinationStream
  alsoServe?: (front: Front) => void
  patienceMs?: number
  workers?: Workers
}

const housekeepingMs = 3_600_000
const reconcileMs = 60_000
const patienceMs = 15_000
/** What links lead to where nothing listens: in tests. */
const unheard = 'http://127.0.0.1'

/** The whole service, wired: what is handed to whom, and what is served. */
export async function openApp(config: Config, database: Database, given: Given = {}): Promise<App> {
  await prepare(database, config, given.say)
  const store = openStore(config)
  await claimStore(database, store)
  const world = openWorld(config, database, given, () => (http.server.listening ? http.listeningOrigin : unheard))
  await sealStored(world)
  const held = await heldSince(database.kysely)
  if (held) given.say?.(`Jobs are held since ${held.toISOString()}: no mail leaves. Release them with npm run jobs -- release`)
  const atWork = new Set<Promise<unknown>>()
  let stopping = false
  const isStopping = () => stopping
  const http = await openHttp(world, atWork, isStopping)
  const cutIdle = idleLinesOf(http.server)
  const front: Front = { http, world, ...openAdmission(world), served: [] }

  refuseCallsInMaintenance(front)
  serveHealth(front, isStopping)
  serveGeography(front)
  serveBusinessUnit(front)
  serveSession(front)
  serveProducts(front)
  serveQuotes(front)
  const cards = openCards(config)
  await servePayments(front, cards)
  const files = openFiles(world, store)
  const documents = serveDocuments(front, files, readFacts, seesTicketFile(world))
  serveMail(front, files.readFile, validityChecks)
  const sales = openSales(world, cards, documents.documents)
  servePolicies(front, sales)
  await serveTickets(front, files)
  serveAdministration(front)
  serveAgency(front, files)
  servePayloads(front)
  given.alsoServe?.(front)
  serveOpenApi(front, { ...geographyPaths, ...externalPaths, ...webhookPaths, ...filePaths, ...inboundPaths })
  await servePortal(front)
  await front.http.ready()

  let housekeeping: NodeJS.Timeout | undefined
  const reconciler = every(reconcileMs, () => reconcile(sales), world)
  return {
    front,
    world,
    documents: documents.documents,
    start() {
      world.outbox.start()
      documents.start()
      reconciler.start()
      housekeeping = setInterval(
        () => void keepHouse(world, files).catch((err: unknown) => world.log.warn({ err }, 'housekeeping failed')),
        housekeepingMs,
      )
    },
    async stop() {
      stopping = true
      clearInterval(housekeeping)
      // A connection that comes while the door closes is lost: whoever sends them hears first that it will.
      if (config.STOP_DELAY_MS > 0) await delay(config.STOP_DELAY_MS)
      let cut = setTimeout(function again() {
        cutIdle()
        cut = setTimeout(again, 1000)
      }, given.patienceMs ?? patienceMs)
      await front.http.close()
      clearTimeout(cut)
      // Whoever asked may have hung up; what he asked for goes on.
      await Promise.allSettled(atWork)
      await reconciler.stop()
      await world.outbox.stop()
      await documents.stop()
      await world.workers.stop()
      await database.close()
    },
  }
}

/** Cuts whoever only holds the line; who has asked, and is still being answered, is not. */
function idleLinesOf(server: Server): () => void {
  const lines = new Map<Socket, () => boolean>()
  server.on('connection', line => {
    lines.set(line, () => true)
    line.once('close', () => lines.delete(line))
  })
  server.on('request', (request, response) => lines.set(request.socket, () => !request.complete || response.writableFinished))
  return () => {
    for (const [line, isIdle] of lines) if (isIdle()) line.destroy()
  }
}

/** Does something again and again, never twice at once; stopping waits for what is under way. */
function every(ms: number, work: () => Promise<unknown>, { log }: World) {
  let running = Promise.resolve<unknown>(undefined)
  let timer: NodeJS.Timeout | undefined
  let isBusy = false
  const run = () => {
    if (isBusy) return
    isBusy = true
    running = work()
      .catch((err: unknown) => log.warn({ err }, 'payments could not be reconciled'))
      .finally(() => {
        isBusy = false
      })
  }
  return {
    start() {
      run()
      timer = setInterval(run, ms)
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

async function keepHouse(world: World, files: Files): Promise<void> {
  await purge(world)
  await purgeQuotes(world.database, world.clock.now())
  await removeAbandonedFiles(world, files)
  if (world.database.embedded) await analyze(world.database)
}

function openWorld(config: Config, database: Database, given: Given, listening: () => string): World {
  const clock = given.clock ?? systemClock
  const ground = {
    config,
    clock,
    ids: timeOrderedIds(clock),
    log: openLog(config.LOG_LEVEL, given.logTo),
    database,
    secrets: openSecrets(config),
    words: loadWords(),
    metrics: openMetrics(),
  }
  return {
    ...ground,
    outbox: openOutbox(ground),
    spend: openAllowance(ground),
    workers: given.workers ?? openWorkers(),
    publicUrl: () => config.PUBLIC_URL?.replace(/\/$/, '') ?? listening(),
  }
}
