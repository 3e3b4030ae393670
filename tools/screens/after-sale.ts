import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { addDays, today } from '#common/kit/dates.ts'
import { type Agent, asker, sell, signIn } from '#testing/agent.ts'
import type { Demo } from './demo.ts'
import type { Pictures } from './pictures.ts'
import { fill, photographDocument, type Shoot, shooterOf } from './shoot.ts'
import { until } from '../until.ts'

const email = 'agent@azahar.example'

/** Changes a policy of the demo twice, cancels it, and withdraws from another as its client. All in English, with a picture of each step. */
export async function photographAfterSale(browser: Browser, pictures: Pictures, { origin, folder }: Demo, into: string): Promise<void> {
  const agent = await signIn(
    asker(() => origin),
    email,
  )
  const open = async (width: number, height: number) => {
    const context = await browser.newContext({ baseURL: origin, viewport: { width, height } })
    await context.addCookies([{ name: 'i18n_redirected', value: 'en-EN', url: origin }])
    return context.newPage()
  }
  const desk = await open(1440, 900)
  await desk.goto('/auth/sign-in')
  await fill(desk, { email, password: 'portolan-demo' })
  await desk.locator('[type=submit]').click()
  await desk.locator('#main h1').waitFor()
  const { policyUuid } = (await sell(agent)).policyData
  await change(desk, shooterOf(desk, pictures, into), policyUuid)
  for (const [name, title] of Object.entries({ supplement: 'Suplemento', 'credit-note': 'Recibo de extorno' }))
    await photographDocument(pictures, folder, await paperOf(origin, agent, policyUuid, title), [1], join(into, name))
  const phone = await open(390, 844)
  await withdraw(phone, shooterOf(phone, pictures, into, 390), await linkOf(origin, agent))
  await Promise.all([desk, phone].map(page => page.context().close()))
}

async function change(page: Page, shoot: Shoot, policyUuid: string): Promise<void> {
  const panel = page.locator('[data-panel]')
  const confirm = async (done: string) => {
    await page.keyboard.press('Control+Enter')
    await page.getByText(done, { exact: true }).first().waitFor()
    await page.waitForURL(url => !url.searchParams.has('desk'))
  }
  await page.goto(`/policies?policy=${policyUuid}&desk=change`)
  await page.locator('[name=endDate]').fill('+4')
  await page.locator('[name=endDate]').press('Tab')
  await page.locator('[data-difference]').getByText('17.08').waitFor()
  await shoot('dates')
  await confirm('Policy changed')

  await page.goto(`/policies?policy=${policyUuid}&desk=change`)
  await panel.getByRole('button', { name: 'Travellers' }).click()
  await panel.getByRole('button', { name: /^Replace Leo García Gil/ }).click()
  const eva = { name: 'Eva', middleName: 'Ruiz', lastName: 'Mas', birthDate: '02/02/1985', docNumber: '87654321X' }
  await fill(page, Object.fromEntries(Object.entries(eva).map(([name, text]) => [`users[1].${name}`, text])))
  await page.locator('[name="users[1].docNumber"]').press('Tab')
  await shoot('traveller')
  await confirm('Policy changed')
  await panel.getByRole('button', { name: 'Compare' }).click()
  await panel.locator('tbody tr').first().waitFor()
  await shoot('versions')

  await page.goto(`/policies?policy=${policyUuid}&desk=cancel`)
  await panel.locator('[name=reason]').first().check()
  await shoot('cancel')
  await confirm('Policy cancelled')
  await shoot('cancelled')
}

/** Returns a document of a policy in the agency's language, once it is made. */
async function paperOf(origin: string, agent: Agent, policyUuid: string, name: string): Promise<Buffer> {
  return until(`the document ${name}`, async () => {
    const { body } = await agent.ask('/api/policy/detail', { body: { policyUuid } })
    const paper = body.data.files.find((file: { name: string }) => file.name.startsWith(name))
    const reply = paper && (await fetch(new URL(paper.file, origin), { headers: agent.headers }))
    return reply?.ok && Buffer.from(await reply.arrayBuffer())
  })
}

/** Makes a distance sale from which the client may withdraw, and returns the link in the email. It lasts six weeks. */
async function linkOf(origin: string, agent: Agent): Promise<string> {
  const start = addDays(today(new Date(), 'Europe/Madrid'), 20)
  await sell(agent, { channel: 'distance', startDate: start, endDate: addDays(start, 41) })
  return until('the email with the link', async () => {
    // Safe: the page responds in this format.
    const mails = (await (await fetch(`${origin}/dev/mail.json`)).json()) as { text: string }[]
    return /\/my-policy#[\w-]{22}$/m.exec(mails[0]?.text ?? '')?.[0]
  })
}

async function withdraw(page: Page, shoot: Shoot, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Withdraw from contract here' }).waitFor()
  await shoot('client')
  await page.getByRole('button', { name: 'Withdraw from contract here' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Confirm withdrawal' }).waitFor()
  await shoot('withdraw')
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
  await page.locator('main time').waitFor()
  await page.getByText('You have withdrawn', { exact: true }).waitFor()
  await shoot('withdrawn')
}
