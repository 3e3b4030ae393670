import type { Browser, Page } from 'playwright-core'
import { addDays, ageOn, today } from '#common/kit/dates.ts'
import { ana, demoPassword, type Json, leo, sell } from '#testing/agent.ts'
import { openBrowser } from '#tools/open-browser.ts'
import { type Figure, median, withoutBaseline } from './compare.ts'
import { openSetup, type Setup } from './setup.ts'

/** Plays two sales at the counter, from the products to the policy number. An agent types them with a client on the phone. */
export async function benchCounter(rounds: number): Promise<Figure[]> {
  const setup = await openSetup(undefined)
  const browser = await openBrowser()
  try {
    await sellToOthers(setup)
    const [returning, couple]: [Sale[], Sale[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      // Each round has its own days and new clients, so that no client is insured twice.
      returning.push(await play(browser, setup, agent => sellToReturningClient(agent, round)))
      couple.push(await play(browser, setup, agent => sellToCouple(agent, round)))
    }
    return [
      ...figuresOf('a returning client', returning, { keys: 60, seconds: 25 }),
      ...figuresOf('a couple of new clients', couple, { command: 120, seconds: 60 }),
    ]
  } finally {
    await browser.close()
    await setup.stop()
  }
}

/** Five keys a second, half a second for a look, and a second for a click. A modifier counts as a key; a letter is one key. */
const keyMs = 200
const clickMs = 1000
const lookMs = 500

/** `client`: keys for the client's names, documents, birth dates, phone, email and address. `command`: all others. */
type Sale = { client: number; command: number; clicks: number; seconds: number }

type Agent = {
  page: Page
  /** Types facts that the client dictates. */
  client: (text: string) => Promise<void>
  type: (text: string) => Promise<void>
  press: (...keys: string[]) => Promise<void>
  /** Presses Tab until the field with this name has the focus. */
  tabTo: (name: string) => Promise<void>
}

async function play(browser: Browser, { service }: Setup, sale: (agent: Agent) => Promise<void>): Promise<Sale> {
  const context = await browser.newContext({ baseURL: service.origin, locale: 'es-ES', viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto('/auth/sign-in?redirect=/products')
  await page.locator('[name=email]').fill('agent@azahar.example')
  await page.locator('[name=password]').fill(demoPassword)
  await page.locator('[type=submit]').click()
  await page.locator('#main h1').waitFor()
  await page.waitForLoadState('networkidle')
  const counted = { client: 0, command: 0, clicks: 0 }
  const began = performance.now()
  await sale(agentAt(page, counted))
  await page.locator('[data-policy-number]').waitFor()
  const seconds = (performance.now() - began) / 1000
  await context.close()
  return { ...counted, seconds: seconds + (counted.clicks * clickMs) / 1000 }
}

function agentAt(page: Page, counted: Omit<Sale, 'seconds'>): Agent {
  async function typeAs(kind: 'client' | 'command', text: string) {
    for (const letter of text) {
      await page.waitForTimeout(keyMs)
      await page.keyboard.type(letter)
      counted[kind]++
    }
  }
  async function press(...chords: string[]) {
    for (const chord of chords) {
      const keys = chord.split('+').length
      await page.waitForTimeout(keyMs * keys)
      await page.keyboard.press(chord)
      counted.command += keys
    }
  }
  async function tabTo(name: string) {
    for (let presses = 0; presses < 60; presses++) {
      if ((await page.evaluate<string | undefined>(focused)) === name) return
      await press('Tab')
    }
    throw new Error(`the Tab key does not lead to ${name}`)
  }
  return { page, client: text => typeAs('client', text), type: text => typeAs('command', text), press, tabTo }
}

const focused = `document.activeElement?.getAttribute('name') ?? undefined`

const focusOn = (page: Page, name: string) => page.locator(`[name="${name}"]:focus`).waitFor()

/** Enters eight days in Italy for these ages, with the second suitable product, up to step 2. */
async function fillTrip({ page, type, press, tabTo }: Agent, ages: string, round: number): Promise<void> {
  await press('n')
  await focusOn(page, 'startDate')
  await type(`+${20 + 10 * round}`)
  await tabTo('endDate')
  await type('+7')
  await tabTo('mainDestination')
  await type('ital')
  await press('Tab')
  await tabTo('ages')
  await type(ages)
  await press('Enter')
  // The first product lacks the cost of the trip.
  await focusOn(page, 'priceTravel')
  // The agent looks at the prices. Keys without a pause count as text of the field before (decision 92).
  await page.waitForTimeout(lookMs)
  await press('ArrowDown', 'Enter')
  await focusOn(page, 'zipCode')
}

/** Confirms the client's needs, and sells on the agency's account. */
async function buy({ page, press }: Agent): Promise<void> {
  await focusOn(page, 'demandsAndNeeds')
  await press('Space', 'Control+Enter')
}

async function sellToReturningClient(agent: Agent, round: number): Promise<void> {
  const { page, client, press } = agent
  await fillTrip(agent, ageOf(ana.birthDate, round), round)
  await press('/')
  await focusOn(page, 'knownClient')
  await client('ana ga')
  await page.getByRole('option').first().waitFor()
  await press('ArrowDown', 'Enter')
  await page.locator('[name=city][value=Madrid]').waitFor()
  await press('Control+Enter')
  await buy(agent)
}

async function sellToCouple(agent: Agent, round: number): Promise<void> {
  const { client, press, tabTo } = agent
  const [marta, jorge] = [numbered(20_000_000 + round), numbered(30_000_000 + round)]
  await fillTrip(agent, `${ageOf('1985-03-15', round)} ${ageOf('1983-07-22', round)}`, round)
  await fillIn(agent, {
    zipCode: '28014',
    address: 'Calle Mayor 1',
    email: 'marta@example.es',
    phoneNumber: '612345678',
    name: 'Marta',
    middleName: 'Vidal',
    lastName: 'Soler',
    birthDate: '150385',
    documentNumber: marta,
    'extraTravellers.0.name': 'Jorge',
    'extraTravellers.0.middleName': 'Pérez',
    'extraTravellers.0.lastName': 'Ruiz',
    'extraTravellers.0.birthDate': '220783',
  })
  await tabTo('extraTravellers.0.docNumber')
  await client(jorge)
  await press('Control+Enter')
  await buy(agent)
}

/** Returns the age that the client states: on the first day of the round's trip. */
const ageOf = (birthDate: string, round: number): string =>
  String(ageOn(birthDate, addDays(today(new Date(), 'Europe/Madrid'), 20 + 10 * round)))

/** Types facts that the client dictates into these fields, in Tab order. */
async function fillIn({ tabTo, client }: Agent, fields: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) {
    await tabTo(name)
    await client(text)
  }
}

/** Returns a Spanish document number with its check letter. */
const numbered = (number: number): string => `${number}${'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}`

/** Sells to the returning client, whom the agency then knows, and to others of her first name. */
async function sellToOthers({ agent }: Setup): Promise<void> {
  const others: Json[] = ['Gil', 'Ruiz', 'Soto'].map((middleName, index) => ({
    ...ana,
    middleName,
    docNumber: numbered(40_000_000 + index),
  }))
  for (const client of [...others, ana]) await sell(agent, { users: [client, leo] })
}

function figuresOf(work: string, sales: Sale[], targets: { keys?: number; command?: number; seconds: number }): Figure[] {
  const figure = (what: string, unit: string, of: (sale: Sale) => number, most?: number) =>
    withoutBaseline(
      { work: `${work}: ${what}`, unit, target: most === undefined ? '–' : `≤ ${most}${unit}` },
      median(sales.map(of)),
      ours => ours <= (most ?? ours),
    )
  return [
    figure('keys', '', ({ client, command }) => client + command, targets.keys),
    figure('keys beyond names and numbers', '', ({ command }) => command, targets.command),
    figure('clicks', '', ({ clicks }) => clicks),
    figure('the whole sale', ' s', ({ seconds }) => seconds, targets.seconds),
  ]
}
