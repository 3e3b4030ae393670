import type { ResponseSentOf } from '#common/kit/call.ts'
import type * as calls from '#common/privacy/calls.ts'
import { type DataClass, dataClasses } from '#common/privacy/classes.ts'
import { recordTimes } from '#common/privacy/times.ts'
import { columns, files } from './registry.ts'

type Record = ResponseSentOf<typeof calls.processingRecord>

const tablesOf = (of: DataClass): Record['classes'][number]['tables'] =>
  Object.entries(columns).flatMap(([name, classes]) => {
    const own = classes[of]?.split(' ')
    return own ? [{ name, columns: own }] : []
  })

const filesOf = (of: DataClass): string[] => Object.entries(files).flatMap(([kind, its]) => (its === of ? [kind] : []))

/** The record of processing, from the registry. Messages say what data is stored, why and about whom. */
export const processingRecord: Record = {
  classes: dataClasses.map(each => ({ class: each, tables: tablesOf(each), files: filesOf(each) })),
  times: recordTimes,
}
