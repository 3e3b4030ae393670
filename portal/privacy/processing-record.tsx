import { processingRecord } from '#common/privacy/calls.ts'
import { classInWords } from '#common/privacy/classes.ts'
import { useRecord } from '#portal/administration/use-records.ts'
import { Code, Facts } from '#portal/administration/record.tsx'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** The record of processing: for each class of personal data what is stored, why, about whom, who receives it, how long and where. */
export function ProcessingRecord() {
  const { words } = useWords()
  const { data, error, retry } = useRecord(processingRecord, {})
  if (error) return <LoadError error={error} retry={retry} />
  if (!data)
    return (
      <Loading className="grid gap-(--gap)">
        <Skeleton className="h-80 w-full" />
      </Loading>
    )
  return (
    <div className="grid gap-(--gap)">
      <div className="grid gap-1 text-quiet">
        <p>{words('record.intro')}</p>
        <p>{words('record.protection')}</p>
      </div>
      {data.classes.map(({ class: of, tables, files }) => {
        const name = { class: classInWords(of) }
        return (
          <Card key={of} title={words('record.name', name)}>
            <Facts
              facts={[
                [words('record.held_label'), words('record.held', name)],
                [words('record.purpose_label'), words('record.purpose', name)],
                [words('record.people_label'), words('record.people', name)],
                [words('record.recipients_label'), words('record.recipients', name)],
                [words('record.kept_label'), words('record.kept', { ...name, ...data.times })],
                [
                  words('record.columns_label'),
                  tables.length > 0 && <Code>{tables.map(table => `${table.name} (${table.columns.join(', ')})`).join(' · ')}</Code>,
                ],
                [words('record.files_label'), files.length > 0 && <Code>{files.join(', ')}</Code>],
              ]}
            />
          </Card>
        )
      })}
    </div>
  )
}
