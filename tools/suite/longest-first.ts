import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Runs the test files that start processes before the others of their project. They take longest, and one that comes last leaves the other cores
 * idle. vitest itself puts long files first, but only after a first run. A fresh clone has not had one.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(specs), ({ project }) => project)
    return [...byProject.values()].flatMap(files => files.toSorted((one, other) => rankOf(one) - rankOf(other)))
  }
}

const rankOf = ({ moduleId }: TestSpecification): number => (readFileSync(moduleId, 'utf8').includes("'node:child_process'") ? 0 : 1)
