import { useQueryClient } from '@tanstack/react-query'
import { toastError } from '#portal/kit/overlay/report-error.ts'
import { endUserSessions, inviteAgain, resetUserTwoFactor, updateUser, withdrawInvitation } from '#common/agency/calls.ts'
import type { AgencyUser } from '#common/agency/schemas.ts'
import { ask } from '#portal/kit/ask.ts'
import { Menu, type MenuItem } from '#portal/kit/overlay/menu.tsx'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** The actions possible in a user's state. Those that lock the user out need a confirmation. */
export function UserActions({ user, onEdit }: { user: AgencyUser; onEdit: () => void }) {
  const { words } = useWords()
  const items = useItems(user, onEdit)
  return (
    <Menu label={words('agency.users.actions_of', { name: user.name })} items={items}>
      {trigger => <IconButton {...trigger} icon="more" label={words('agency.users.actions_of', { name: user.name })} />}
    </Menu>
  )
}

function useItems({ uuid, name, state, self, sessions, twoFactor }: AgencyUser, onEdit: () => void): MenuItem[] {
  const { words } = useWords()
  const { run, runConfirmed } = useRun()
  const change: MenuItem = { label: words('agency.users.change'), icon: 'pencil', onSelect: onEdit }
  if (state === 'invited')
    return [
      change,
      {
        label: words('agency.users.invite_again'),
        icon: 'mail',
        onSelect: () => void run(() => ask(inviteAgain, { uuid }), words('agency.users.sent_again')),
      },
      {
        label: words('agency.users.revoke'),
        icon: 'trash',
        danger: true,
        apart: true,
        onSelect: () => void runConfirmed(() => ask(withdrawInvitation, { uuid }), words('agency.confirm.revoke', { name })),
      },
    ]
  const end: MenuItem = {
    label: words('agency.users.end_sessions'),
    icon: 'log-out',
    disabled: sessions === 0,
    onSelect: () => void run(() => ask(endUserSessions, { uuid }), words('agency.users.sessions_ended')),
  }
  const reset: MenuItem = {
    label: words('agency.users.reset_two_factor'),
    icon: 'lock',
    onSelect: () => void runConfirmed(() => ask(resetUserTwoFactor, { uuid }), words('agency.confirm.reset', { name })),
  }
  const suspend: MenuItem = {
    label: words('agency.users.suspend'),
    icon: 'x',
    danger: true,
    apart: true,
    onSelect: () => void runConfirmed(() => ask(updateUser, { uuid, active: false }), words('agency.confirm.suspend', { name })),
  }
  const resume: MenuItem = {
    label: words('agency.users.resume'),
    icon: 'check',
    onSelect: () => void run(() => ask(updateUser, { uuid, active: true }), words('agency.saved')),
  }
  return [
    change,
    ...(state === 'active' ? [end] : [resume]),
    ...(twoFactor && !self ? [reset] : []),
    ...(state === 'active' ? [suspend] : []),
  ]
}

/** Runs an action, at once or after a confirmation, then reloads the list. A refusal shows the service's message. */
function useRun() {
  const client = useQueryClient()
  const reloadUsers = () => client.invalidateQueries({ queryKey: ['agency-users'] })
  const run = async (action: () => Promise<unknown>, summary: string) => {
    await action()
      .then(() => showToast({ severity: 'success', summary }))
      .catch(toastError)
    await reloadUsers()
  }
  // The confirmation window itself shows a refusal.
  const runConfirmed = (action: () => Promise<unknown>, description: string) =>
    showAlert({ mode: 'confirm', description, buttonBehavior: () => action().finally(() => void reloadUsers()) })
  return { run, runConfirmed }
}
