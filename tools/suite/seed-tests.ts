import { configureGlobal, readConfigureGlobal } from 'fast-check'
import { beforeEach } from 'vitest'
import { numberOfRun, seedOf } from './seeds.ts'

// A property's values depend on its file and title, so an unrelated change cannot make it fail. `--seed random` explores.
beforeEach(({ task }) => {
  configureGlobal({ ...readConfigureGlobal(), seed: seedOf(task.file.name, task.fullTestName ?? '', numberOfRun()) })
})
