import { useQueryClient } from '@tanstack/react-query'
import { readPercent, shareProblems } from '#common/accounting/shares.ts'
import { inviteUser, updateUser } from '#common/agency/calls.ts'
import type { AgencyUser } from '#common/agency/schemas.ts'
import { fieldProblems } from '#common/kit/validators/all.ts'
import type { Problem } from '#common/kit/problems.ts'
import type { Permission } from '#common/kit/permissions.ts'
import { isRole, type Role, roles } from '#common/session/roles.ts'
import { ask } from '#portal/kit/ask.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { FieldNotes } from '#portal/kit/field/field.tsx'
import { BoundText } from '#portal/kit/form/bound.tsx'
import { Bound, RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { checkSession } from '#portal/session/session.ts'

type Form = { name: string; email: string; roles: Role[]; commissionShare: string }
type Props = { user: AgencyUser | 'new'; assignable: readonly Role[]; onClose: () => void }

/** Invites a user, or changes their name, roles and, after they have joined, share of the commission. */
export function UserDialog({ user, assignable, onClose }: Props) {
  const { words } = useWords()
  const { number } = useFormat()
  const client = useQueryClient()
  const isNew = user === 'new'
  const form = useRulesForm<Form>({
    defaultValues: isNew
      ? { name: '', email: '', roles: ['seller'], commissionShare: '' }
      : {
          name: user.name,
          email: user.email,
          roles: user.roles.filter(isRole),
          commissionShare: user.commissionShare === null ? '' : number(user.commissionShare),
        },
    rules: problemsOf,
    send: async ({ name, email, roles, commissionShare }) => {
      if (isNew) await ask(inviteUser, { name, email, roles })
      else {
        const typed = readPercent(commissionShare)
        const share = typed === user.commissionShare ? {} : { commissionShare: typed }
        await ask(updateUser, { uuid: user.uuid, roles, ...(name === user.name ? {} : { name }), ...share })
        if ('commissionShare' in share) void client.invalidateQueries({ queryKey: ['accounting', 'earnings'] })
      }
      await client.invalidateQueries({ queryKey: ['agency-users'] })
      if (!isNew && user.self) void checkSession()
      onClose()
      showToast({ severity: 'success', summary: isNew ? words('agency.users.invited', { email }) : words('agency.saved') })
    },
  })
  return (
    <Dialog open onClose={onClose} busy={form.busy} title={words(isNew ? 'agency.users.invite' : 'agency.users.change')}>
      <RulesForm form={form} className="grid gap-(--gap)">
        <BoundText label={words('agency.users.name')} name="name" data-first required autoComplete="off" />
        <BoundText
          label={words('agency.users.email')}
          hint={isNew ? words('agency.users.email_hint') : words('agency.users.email_fixed')}
          name="email"
          type="email"
          required
          readOnly={!isNew}
          autoComplete="off"
        />
        <RolesField assignable={assignable} />
        {!isNew && user.state !== 'invited' && (
          <BoundText
            label={words('agency.users.share')}
            hint={words('agency.users.share_hint')}
            name="commissionShare"
            inputMode="decimal"
            autoComplete="off"
          />
        )}
        <div className="flex flex-wrap justify-end gap-2 max-sm:*:flex-1">
          <Button look="quiet" onClick={onClose}>
            {words('ui.cancel')}
          </Button>
          <Button type="submit" busy={form.busy}>
            {words(isNew ? 'agency.users.send' : 'agency.save')}
          </Button>
        </div>
      </RulesForm>
    </Dialog>
  )
}

function problemsOf({ name, email, roles, commissionShare }: Form): Problem[] {
  const context = { locale: 'en-EN', today: '' } as const
  return [
    ...fieldProblems('name', name, ['required', ['maxLength', { limit: 100 }]], context),
    ...fieldProblems('email', email, ['required', 'email'], context),
    ...(roles.length === 0 ? [{ path: 'roles', rule: 'required', key: 'agency.fault.roles' }] : []),
    ...shareProblems('commissionShare', readPercent(commissionShare)),
  ]
}

function RolesField({ assignable }: { assignable: readonly Role[] }) {
  const { words } = useWords()
  return (
    <Bound<Role[]> chosen name="roles" label={words('agency.users.role')}>
      {({ value, onChange, ref, error }) => (
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-sm text-quiet">{words('agency.users.may')}</legend>
          {assignable.map((role, index) => (
            <Checkbox
              key={role}
              name={`role-${role}`}
              ref={index === 0 ? ref : undefined}
              label={words(roleWords[role].name)}
              hint={words(roleWords[role].may)}
              checked={value.includes(role)}
              onChange={checked => onChange(checked ? withRole(value, role) : value.filter(each => each !== role))}
            />
          ))}
          <FieldNotes id="roles" error={error} />
        </fieldset>
      )}
    </Bound>
  )
}

/** Adds a role, and removes those that contradict it: own sales and all sales, or selling and only looking. */
export const withRole = (held: readonly Role[], added: Role): Role[] => [
  ...held.filter(role =>
    (['b2b-policies-own-only', 'b2b-products-sell'] as const).every(permission => grants(role, permission) === grants(added, permission)),
  ),
  added,
]
const grants = (role: Role, permission: Permission) => roles[role].some(each => each === permission)

/** The name of each role, and a sentence on what it may do. */
const roleWords = {
  viewer: { name: 'agency.role.viewer', may: 'agency.role.viewer_may' },
  seller: { name: 'agency.role.seller', may: 'agency.role.seller_may' },
  freelancer: { name: 'agency.role.freelancer', may: 'agency.role.freelancer_may' },
  accountant: { name: 'agency.role.accountant', may: 'agency.role.accountant_may' },
  manager: { name: 'agency.role.manager', may: 'agency.role.manager_may' },
  admin: { name: 'agency.role.admin', may: 'agency.role.admin_may' },
} as const

/** Shows the names of roles. An unknown role keeps its technical name. */
export function RoleNames({ roles }: { roles: readonly string[] }) {
  const { words } = useWords()
  const { list } = useFormat()
  return <>{list(roles.map(role => (isRole(role) ? words(roleWords[role].name) : role)))}</>
}
