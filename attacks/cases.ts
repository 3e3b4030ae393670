import { browsers } from './browser.ts'
import { changes } from './changes.ts'
import { links } from './client/link.ts'
import { quoteLinks } from './client/quote.ts'
import { statements } from './client/statements.ts'
import { copies } from './client/copy.ts'
import type { Case } from './scenario.ts'
import { guessing } from './guessing.ts'
import { https } from './http.ts'
import { injections } from './injection.ts'
import { money } from './money.ts'
import { payments } from './payment.ts'
import { signIns } from './sign-in.ts'
import { tenants } from './tenants.ts'
import { uploads } from './uploads.ts'

/** All attacks. */
export const cases: Case[] = [
  ...tenants,
  ...signIns,
  ...guessing,
  ...money,
  ...changes,
  ...links,
  ...quoteLinks,
  ...copies,
  ...statements,
  ...injections,
  ...payments,
  ...uploads,
  ...https,
  ...browsers,
]
