import { useState } from 'react'
import type { viewUser } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import type { Problem } from '#common/kit/problems.ts'
import { isRole, type Role } from '#common/session/roles.ts'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { FieldNotes } from '#portal/kit/field/field.tsx'
import { Switch } from '#portal/kit/field/switch.tsx'
import { Bound } from '#portal/kit/form/rules-form.tsx'
import { State } from '#portal/kit/ui/card.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { useUnitOptions } from '../use-unit-options.ts'

export type User = ResponseOf<typeof viewUser>

/** Returns the stored memberships, with known roles only. */
export const membersOf = ({ businessUnits }: User): Member[] =>
  businessUnits.map(({ roles, ...unit }) => ({ ...unit, roles: roles.filter(isRole), isNew: false }))

export function UserState({ active, administrator }: { active: boolean; administrator: boolean }) {
  const { words } = useWords()
  return (
    <span className="inline-flex flex-wrap gap-2">
      <State tone={active ? 'success' : 'danger'}>{words(active ? 'administration.active' : 'administration.suspended')}</State>
      {administrator && <span className="text-sm text-quiet">{words('administration.administrator')}</span>}
    </span>
  )
}

/**
 * A unit that a user works for, with their roles in it. New memberships and invitations can be removed. Others can only be paused, since the work
 * done under them is kept.
 */
export type Member = { uuid: string; brandName: string; roles: Role[]; active: boolean; isNew: boolean; invited?: boolean }

export const memberProblems = (members: readonly Member[]): Problem[] =>
  members.some(({ roles }) => roles.length === 0)
    ? [{ path: 'businessUnits', rule: 'roles', key: 'administration.fault.roles' }]
    : members.length === 0
      ? [{ path: 'businessUnits', rule: 'required', key: 'administration.fault.no_unit' }]
      : []

export const sentMembers = (members: readonly Member[]) => members.map(({ uuid, roles, active }) => ({ uuid, roles, active }))

export function Memberships() {
  const { words } = useWords()
  return (
    <Bound<Member[]> chosen name="businessUnits" label={words('administration.units')}>
      {({ value, onChange, error, ref }) => (
        <fieldset className="grid gap-3">
          <legend className="mb-3 font-semibold">{words('administration.units')}</legend>
          {value.map(member => (
            <MemberRow
              key={member.uuid}
              member={member}
              onChange={next => onChange(value.map(each => (each.uuid === next.uuid ? next : each)))}
              onRemove={() => onChange(value.filter(({ uuid }) => uuid !== member.uuid))}
            />
          ))}
          <AddUnit excluded={value.map(({ uuid }) => uuid)} onAdd={member => onChange([...value, member])} inputRef={ref} />
          <FieldNotes id="businessUnits" {...(error ? { error } : {})} />
        </fieldset>
      )}
    </Bound>
  )
}

type RowProps = { member: Member; onChange: (member: Member) => void; onRemove: () => void }

function MemberRow({ member, onChange, onRemove }: RowProps) {
  const { words } = useWords()
  const { uuid, brandName, roles, active, isNew, invited } = member
  return (
    <div className="grid gap-3 border-b border-hair pb-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="inline-flex flex-wrap items-center gap-2">
          {brandName}
          {invited && <State tone="info">{words('administration.invited')}</State>}
        </span>
        {isNew || invited ? (
          <IconButton icon="x" label={words('administration.remove', { name: brandName })} onClick={onRemove} />
        ) : (
          <Switch
            name={`active-${uuid}`}
            label={
              <>
                {words('administration.works_here')} <span className="sr-only">{brandName}</span>
              </>
            }
            checked={active}
            onChange={active => onChange({ ...member, active })}
          />
        )}
      </div>
      <Combobox<Role>
        multiple
        label={words('administration.roles_at', { name: brandName })}
        name={`roles-${uuid}`}
        options={roleOptions(words)}
        value={roles}
        onChange={roles => onChange({ ...member, roles })}
      />
    </div>
  )
}

type AddProps = { excluded: readonly string[]; onAdd: (member: Member) => void; inputRef: (element: HTMLElement | null) => void }

function AddUnit({ excluded, onAdd, inputRef }: AddProps) {
  const { words } = useWords()
  const { options, ...search } = useUnitOptions()
  // A new key clears the field after each choice, since the chosen unit is then listed above.
  const [added, setAdded] = useState(0)
  return (
    <Combobox<string>
      key={added}
      ref={inputRef}
      label={words('administration.add_unit')}
      name="addUnit"
      options={options.filter(({ value }) => !excluded.includes(value))}
      {...search}
      value={null}
      onChange={uuid => {
        const unit = options.find(({ value }) => value === uuid)
        if (!unit) return
        onAdd({ uuid: unit.value, brandName: unit.label, roles: ['seller'], active: true, isNew: true })
        setAdded(added + 1)
      }}
    />
  )
}

const names = {
  viewer: 'administration.role_viewer',
  freelancer: 'administration.role_freelancer',
  accountant: 'administration.role_accountant',
  seller: 'administration.role_seller',
  manager: 'administration.role_manager',
  admin: 'administration.role_admin',
} as const satisfies Record<Role, string>

const roleOptions = (words: Words) =>
  Object.keys(names)
    .filter(isRole)
    .map(value => ({ value, label: words(names[value]) }))
