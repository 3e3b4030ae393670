import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from './config.ts'
import { analyze, prepare } from './database/prepare.ts'
import type { Database } from './kit/database.ts'
import type { AppContext, World } from './kit/app-context.ts'
import { serveDevClock } from '#server/kit/trial/dev-clock.ts'
import { serveHealth } from '#server/kit/http/health.ts'
import { openHttp } from '#server/kit/http/http.ts'
import { serveOpenApi } from '#server/kit/openapi/openapi.ts'
import { sealedReplies } from './kit/sealed/replies.ts'
import { checkSealedRows, resealRows } from './kit/sealed/reseal.ts'
import { heldSince } from '#server/kit/work/jobs.ts'
import { type AppOptions, openWorld } from './world.ts'
import { serveAccounting } from './accounting/serve.ts'
import { openClosing } from './accounting/statements/close.ts'
import { serveAdministration } from './administration/serve.ts'
import { geographyPaths } from './geography/openapi.ts'
import { serveGeography } from './geography/serve.ts'
import { serveBusinessUnit } from './business-unit/serve.ts'
import { lackingInCatalogue } from './products/public.ts'
import { serveProducts } from './products/serve.ts'
import { purgeQuotes } from './quotes/queries.ts'
import { serveQuotes } from './quotes/serve.ts'
import { openCards, servePayments } from './payments/serve.ts'
import { openFiles } from './documents/files.ts'
import { openStore } from './documents/open-store.ts'
import { claimStore, watchStore } from '#server/documents/marker/claim.ts'
import { sealedSources } from './documents/sealed/queries.ts'
import { checkSealed } from './documents/sealed/seal-files.ts'
import { filePaths } from '#server/documents/get-file.ts'
import { webhookPaths } from '#server/payments/webhook.ts'
import { externalPaths } from '#server/session/external/serve.ts'
import { inboundPaths } from './tickets/inbound/inbound.ts'
import type { PolicyDocuments } from './documents/pdf/documents.ts'
import { serveDocuments } from './documents/serve.ts'
import { reconcile } from './policies/payment/reconcile.ts'
import { saleWaits } from '#server/policies/sale/purchase.ts'
import { validityChecks } from './policies/detail/send.ts'
import { sealedPeople } from '#server/policies/stored/queries.ts'
import { openSales, type Sales } from '#server/policies/sale/sale-context.ts'
import { servePolicies } from './policies/serve.ts'
import { removeAbandonedUploads, seesPolicyUpload } from '#server/policies/upload.ts'
import { serveMail } from './mail/serve.ts'
import { withPreviews } from './changes/offer/preview.ts'
import { readFacts } from './changes/documents/facts.ts'
import { expireOffers } from '#server/changes/payment/abandon.ts'
import { changeWaits } from './changes/payment/waits.ts'
import { readPossible } from './changes/previews.ts'
import { sealedChanges } from './changes/sealed/queries.ts'
import { openRenewals } from './changes/renewal/night.ts'
import { serveChanges } from './changes/serve.ts'
import { clientLink } from './client/access.ts'
import { purgeClientRows, serveClient } from './client/serve.ts'
import { serveAgency } from './agency/serve.ts'
import { removeAbandonedFiles } from '#server/tickets/file.ts'
import { seesTicketFile } from './tickets/read.ts'
import { checkWords, sealWords } from './tickets/sealed/seal-words.ts'
import { serveTickets } from './tickets/serve.ts'
import { openAdmission } from './session/admit.ts'
import { purge } from './session/purge.ts'
import { checkBlocked, resealBlocked } from './privacy/blocked/reseal.ts'
import { copyLink } from './privacy/copy/link.ts'
import { withLetters } from './privacy/letters/send.ts'
import { openRetention } from './privacy/retention/run.ts'
import { reapply } from './privacy/reapply.ts'
import { servePrivacy } from './privacy/serve.ts'
import { openSuppressions } from './privacy/suppressions.ts'
import { purgeReports, runSchedules } from './reports/due.ts'
import { serveReports } from './reports/serve.ts'
import { sealStored } from '#server/session/second-factor/queries.ts'
import { serveSession } from './session/serve.ts'
import { refuseCallsInMaintenance } from './shell/maintenance.ts'
import { servePayloads } from './shell/payload.ts'
import { servePortal } from './shell/portal-files.ts'

export type { AppOptions } from './world.ts'

/** `start` begins background work (jobs, housekeeping), `startJobs` only jobs; `stop` finishes what is running. */
export type App = {
  context: AppContext
  world: World
  documents: PolicyDocuments
  sales: Sales
  start(): void
  startJobs(): void
  /** Does the hourly work, for `start` and for tests. */
  keepHouse(): Promise<void>
  stop(): Promise<void>
}

const housekeepingMs = 3_600_000
const reconcileMs = 60_000
const stopPatienceMs = 15_000

/** Opens the whole service: builds its parts, connects them and registers every call. */
export async function openApp(config: Config, database: Database, options: AppOptions = {}): Promise<App> {
  // The process that serves has prepared everything for its process for jobs.
  const isServing = options.jobsOf === undefined
  if (isServing) await prepare(database, config, options.say)
  const store = openStore(config)
  if (isServing) await claimStore(database, store)
  const world = await openWorld(config, database, options, () => (http.server.listening ? http.listeningOrigin : undefined))
  if (isServing) await sealStored(world)
  const lacks = isServing ? await lackingInCatalogue(database) : []
  if (lacks.length > 0) world.log.warn({ lacks }, 'the catalogue lacks what this version needs (docs/updating.md)')
  await checkSealed(world, options.say)
  await checkWords(world)
  await checkBlocked(world)
  await checkSealedRows(world, sealedRows)
  const suppressions = openSuppressions(config)
  const jobsHeldSince = await heldSince(database.shared)
  if (jobsHeldSince)
    options.say?.(`Jobs are held since ${jobsHeldSince.toISOString()}: no mail leaves. Release them with npm run jobs -- release`)
  const atWork = new Set<Promise<unknown>>()
  let stopping = false
  const isStopping = () => stopping
  const http = await openHttp(world, atWork, isStopping)
  const closeIdle = trackConnections(http.server)
  const context: AppContext = { http, world, ...openAdmission(world), served: [] }

  refuseCallsInMaintenance(context)
  serveHealth(context, isStopping)
  serveDevClock(context)
  serveGeography(context)
  serveBusinessUnit(context)
  serveSession(context)
  serveProducts(context)
  const quotes = serveQuotes(context)
  const cards = openCards(config)
  await servePayments(context, cards)
  const files = openFiles(world, store)
  const lookAtStore = isServing ? watchStore(world, store) : undefined
  const documents = serveDocuments(
    context,
    files,
    readFacts(world),
    { ticket: seesTicketFile(world), upload: seesPolicyUpload(world) },
    options.idleRenderers,
  )
  const mails = serveMail(context, {
    readFile: withLetters(world, { files, render: documents.render }, withPreviews(world, documents.documents, documents.readFile)),
    validityChecks,
    clientLink: (tx, to) => (to.template === 'privacy_copy' ? copyLink(tx, to) : clientLink(world)(tx, to)),
  })
  const waits = { sale: saleWaits, change: changeWaits, reinstatement: changeWaits }
  const sales = openSales({ world, cards, documents: documents.documents, mailSoon: mails.mailSoon, waits })
  servePolicies(context, sales, files, readPossible(world))
  await serveTickets(context, files)
  serveChanges(context, sales)
  serveClient(context, sales, files, documents.render)
  serveAccounting(context)
  serveReports(context)
  serveAdministration(context, sales)
  serveAgency(context, files, documents.canDraw)
  servePrivacy(context, { files, render: documents.render, suppressions, sales })
  servePayloads(context)
  // Erases after its subscribers are registered, which delete the files, and before the first request.
  if (isServing) {
    await suppressions.begin()
    const erasedAgain = await reapply(world, suppressions)
    if (erasedAgain > 0) options.say?.(`Erased again what persons had erased after this copy was made: ${erasedAgain}`)
  }
  options.alsoServe?.(context)
  serveOpenApi(context, { ...geographyPaths, ...externalPaths, ...webhookPaths, ...filePaths, ...inboundPaths })
  await servePortal(context)
  await context.http.ready()

  let housekeeping: NodeJS.Timeout | undefined
  let sealing: Promise<unknown> = Promise.resolve()
  const closing = openClosing(world)
  const retention = openRetention(world, isStopping)
  // Reports of a month come after its closing, and also if that fails for an agency.
  const closeAndReport = async () => {
    try {
      await closing()
    } finally {
      await runSchedules(world)
    }
  }
  const renewals = openRenewals(world)
  const reconcileAll = () => Promise.all([reconcile(sales), expireOffers(sales), closeAndReport(), renewals()])
  const reconciler = every(reconcileMs, () => world.businessClock.follow().then(reconcileAll), world)
  // Repeated on its own, because a nightly run may take minutes, and payments must not wait for it.
  const retainer = every(reconcileMs, () => world.businessClock.follow().then(retention), world, 'the retention of a night has failed')
  async function keepHouse(): Promise<void> {
    await lookAtStore?.()
    await purge(world)
    await purgeQuotes(world.database, world.clock.now())
    await purgeClientRows(world)
    await purgeReports(world)
    await removeAbandonedFiles(world, files)
    await removeAbandonedUploads(world, files)
    if (world.database.embedded) await analyze(world.database)
  }
  return {
    context,
    world,
    documents: documents.documents,
    keepHouse,
    sales,
    startJobs() {
      world.outbox.start()
      documents.start()
    },
    start() {
      world.outbox.start()
      if (!options.jobsProgram) documents.start()
      reconciler.start()
      retainer.start()
      sealing = sealAll(world, isStopping).catch((err: unknown) => world.log.warn({ err }, 'data could not be sealed with the present key'))
      void world.businessClock.whenSet(reconciler.now)
      housekeeping = setInterval(
        () => void keepHouse().catch((err: unknown) => world.log.warn({ err }, 'housekeeping failed')),
        housekeepingMs,
      )
    },
    async stop() {
      stopping = true
      clearInterval(housekeeping)
      // A connection that arrives while the server closes is lost. So the load balancer gets time to notice that readiness has ended.
      if (config.STOP_DELAY_MS > 0) await delay(config.STOP_DELAY_MS)
      let closing = setTimeout(function again() {
        closeIdle()
        closing = setTimeout(again, 1000)
      }, options.stopPatienceMs ?? stopPatienceMs)
      await context.http.close()
      clearTimeout(closing)
      // Handlers finish even if their clients have disconnected.
      await Promise.allSettled(atWork)
      await Promise.all([reconciler.stop(), retainer.stop()])
      await Promise.all([sealing, quotes.stop()])
      await world.outbox.stop()
      mails.close()
      documents.stop()
      await world.workers.stop()
      await database.close()
    },
  }
}

/** Returns a function that closes idle connections. A complete request that awaits its response keeps its connection open. */
function trackConnections(server: Server): () => void {
  const connections = new Map<Socket, () => boolean>()
  server.on('connection', socket => {
    connections.set(socket, () => true)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', (request, response) => connections.set(request.socket, () => !request.complete || response.writableFinished))
  return () => {
    for (const [socket, isIdle] of connections) if (isIdle()) socket.destroy()
  }
}

/** Repeats work at an interval, never twice at the same time. Stopping waits for the current run. */
function every(ms: number, work: () => Promise<unknown>, { log }: World, failure = 'payments could not be reconciled') {
  let running = Promise.resolve<unknown>(undefined)
  let timer: NodeJS.Timeout | undefined
  let isBusy = false
  let isOver = false
  const run = () => {
    if (isBusy || isOver) return
    isBusy = true
    running = work()
      .catch((err: unknown) => log.warn({ err }, failure))
      .finally(() => {
        isBusy = false
      })
  }
  return {
    start() {
      run()
      timer = setInterval(run, ms)
    },
    now: () => void running.then(run),
    async stop() {
      isOver = true
      clearInterval(timer)
      await running
    },
  }
}

/** Rows that contain document numbers, and are therefore encrypted. */
export const sealedRows = [sealedPeople, sealedChanges, sealedReplies, sealedSources]

/** Encrypts with the present key what an older version left in clear, or a former key encrypted. */
async function sealAll(world: World, isStopping: () => boolean): Promise<void> {
  await sealWords(world, isStopping)
  await resealBlocked(world, isStopping)
  for (const rows of sealedRows) await resealRows(world, rows, isStopping)
}
