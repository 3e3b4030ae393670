import { expect, test } from 'vitest'
import { enter, openPortal } from './browser.ts'
test('shots', async () => {
  const portal = await openPortal()
  for (const width of [1440, 390]) {
    const walker = await portal.walk({ chosen: 'es-ES', width })
    const { page } = walker
    await enter(walker, 'agent@azahar.example')
    await page.context().route(
      url => url.pathname === '/api/auth/session',
      route => route.abort('connectionfailed'),
    )
    if (width < 800) await page.getByRole('button', { name: 'Menú' }).click()
    await page.getByRole('button', { name: 'Cerrar sesión' }).click()
    await page.getByRole('heading', { level: 1, name: 'Todavía no se ha cerrado la sesión' }).waitFor()
    await page.screenshot({ path: `/tmp/not-left-${width}.png` })
    await page.context().unroute(url => url.pathname === '/api/auth/session')
    await walker.stop()
  }
  await portal.stop()
  expect(1).toBe(1)
})
