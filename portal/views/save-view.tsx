import { type SyntheticEvent, useState } from 'react'
import { longestViewName } from '#common/views/views.ts'
import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import type { FieldMessage } from '#portal/kit/field/field.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { Popover, useClosePopover } from '#portal/kit/overlay/popover.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { saveView, type ViewedList, viewIn, type ViewParams } from './use-views.ts'

type Props = { list: ViewedList; params: ViewParams }

/** Saves the filters, the order and the columns of the list under a name. */
export function SaveView(props: Props) {
  const { words } = useWords()
  const label = words('panel.view_save')
  return (
    <Popover label={label} content={<Form {...props} />}>
      {trigger => (
        <Button {...trigger} look="plain" icon="plus">
          {label}
        </Button>
      )}
    </Popover>
  )
}

function Form({ list, params }: Props) {
  const { words } = useWords()
  const close = useClosePopover()
  const [name, setName] = useState('')
  const [error, setError] = useState<FieldMessage>()
  const [busy, setBusy] = useState(false)
  async function save(event: SyntheticEvent) {
    event.preventDefault()
    if (busy) return
    if (name.trim() === '') return setError(true)
    setBusy(true)
    try {
      await saveView(list, { name, params: viewIn(list.paramNames, params), ...(list.columns ? { hidden: list.columns.hidden() } : {}) })
      close()
    } catch (error) {
      setError(refusedFields(error)[0]?.message ?? errorMessage(error, words))
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={event => void save(event)} className="grid w-72 max-w-full gap-3">
      <TextField
        label={words('panel.view_name')}
        hint={list.hint}
        name="viewName"
        maxLength={longestViewName}
        autoComplete="off"
        required
        value={name}
        error={error}
        onChange={event => {
          setError(undefined)
          setName(event.target.value)
        }}
      />
      <Button look="quiet" type="submit" busy={busy}>
        {words('ui.save')}
      </Button>
    </form>
  )
}
