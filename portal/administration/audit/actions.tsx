import { State } from '#portal/kit/ui/card.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'

/** The sentences of the audited actions (server/session/audit.ts). A refused call has its method and path instead. */
const sentences = {
  'session.login': 'administration.did_session_login',
  'session.oidc': 'administration.did_session_oidc',
  'session.open': 'administration.did_session_open',
  'session.end': 'administration.did_session_end',
  'session.end_others': 'administration.did_session_end_others',
  'session.forgot_password': 'administration.did_session_forgot_password',
  'session.reset_password': 'administration.did_session_reset_password',
  'session.password_change': 'administration.did_session_password_change',
  'session.profile_update': 'administration.did_session_profile_update',
  'session.invitation_accepted': 'administration.did_session_invitation_accepted',
  'session.two_factor_begin': 'administration.did_session_two_factor_begin',
  'session.two_factor_on': 'administration.did_session_two_factor_on',
  'session.two_factor_off': 'administration.did_session_two_factor_off',
  'session.recovery_codes': 'administration.did_session_recovery_codes',
  'accounting.listed': 'administration.did_accounting_listed',
  'accounting.exported': 'administration.did_accounting_exported',
  'policies.listed': 'administration.did_policies_listed',
  'policies.exported': 'administration.did_policies_exported',
  'policy.seen': 'administration.did_policy_seen',
  'policy.registered': 'administration.did_policy_registered',
  'policy.saved': 'administration.did_policy_saved',
  'policy.purchased': 'administration.did_policy_purchased',
  'policy.changed': 'administration.did_policy_changed',
  'policy.change_undone': 'administration.did_policy_change_undone',
  'policy.goodwill': 'administration.did_policy_goodwill',
  'policy.cancelled': 'administration.did_policy_cancelled',
  'policy.reinstated': 'administration.did_policy_reinstated',
  'policy.deleted': 'administration.did_policy_deleted',
  'policy.restored': 'administration.did_policy_restored',
  'policy.sent': 'administration.did_policy_sent',
  'policy.change_asked': 'administration.did_policy_change_asked',
  'policy.change_offered': 'administration.did_policy_change_offered',
  'policy.change_taken_back': 'administration.did_policy_change_taken_back',
  'policy_view.saved': 'administration.did_policy_view_saved',
  'policy_view.deleted': 'administration.did_policy_view_deleted',
  'report.run': 'administration.did_report_run',
  'report.downloaded': 'administration.did_report_downloaded',
  'report.scheduled': 'administration.did_report_scheduled',
  'report.schedule_changed': 'administration.did_report_schedule_changed',
  'report.schedule_deleted': 'administration.did_report_schedule_deleted',
  'people.seen': 'administration.did_people_seen',
  'privacy.closed': 'administration.did_privacy_closed',
  'privacy.copy_opened': 'administration.did_privacy_copy_opened',
  'privacy.copy_recalled': 'administration.did_privacy_copy_recalled',
  'privacy.erase': 'administration.did_privacy_erase',
  'privacy.export': 'administration.did_privacy_export',
  'privacy.extended': 'administration.did_privacy_extended',
  'privacy.found': 'administration.did_privacy_found',
  'privacy.held': 'administration.did_privacy_held',
  'privacy.hold_lifted': 'administration.did_privacy_hold_lifted',
  'privacy.object': 'administration.did_privacy_object',
  'privacy.opened': 'administration.did_privacy_opened',
  'privacy.previewed': 'administration.did_privacy_previewed',
  'privacy.rectify': 'administration.did_privacy_rectify',
  'privacy.restrict': 'administration.did_privacy_restrict',
  'client.quote_seen': 'administration.did_client_quote_seen',
  'client.quote_pay': 'administration.did_client_quote_pay',
  'client.quote_proved': 'administration.did_client_quote_proved',
  'client.quote_declined': 'administration.did_client_quote_declined',
  'client.quote_completed': 'administration.did_client_quote_completed',
  'policy.quote_linked': 'administration.did_policy_quote_linked',
  'policy.quote_links_revoked': 'administration.did_policy_quote_links_revoked',
  'client.policy_seen': 'administration.did_client_policy_seen',
  'client.change_seen': 'administration.did_client_change_seen',
  'client.change_pay': 'administration.did_client_change_pay',
  'client.change_declined': 'administration.did_client_change_declined',
  'client.file_seen': 'administration.did_client_file_seen',
  'client.request': 'administration.did_client_request',
  'client.withdraw': 'administration.did_client_withdraw',
  'client.find': 'administration.did_client_find',
  'file.seen': 'administration.did_file_seen',
  'ticket.filed': 'administration.did_ticket_filed',
  'ticket.misfiled': 'administration.did_ticket_misfiled',
  'ticket.seen': 'administration.did_ticket_seen',
  'ticket.status': 'administration.did_ticket_status',
  'ticket.written': 'administration.did_ticket_written',
  'tickets.listed': 'administration.did_tickets_listed',
  'agency.update': 'administration.did_agency_update',
  'agency.logo_removed': 'administration.did_agency_logo_removed',
  'agency.users_look': 'administration.did_agency_users_look',
  'agency.user_invited': 'administration.did_agency_user_invited',
  'agency.user_changed': 'administration.did_agency_user_changed',
  'agency.user_sessions_ended': 'administration.did_agency_user_sessions_ended',
  'agency.user_two_factor_reset': 'administration.did_agency_user_two_factor_reset',
  'agency.invitation_withdrawn': 'administration.did_agency_invitation_withdrawn',
  'administration.accounts_listed': 'administration.did_administration_accounts_listed',
  'administration.account_terms': 'administration.did_administration_account_terms',
  'administration.account_payment': 'administration.did_administration_account_payment',
  'administration.account_reversed': 'administration.did_administration_account_reversed',
  'administration.account_written_off': 'administration.did_administration_account_written_off',
  'administration.account_opened': 'administration.did_administration_account_opened',
  'administration.bank_read': 'administration.did_administration_bank_read',
  'administration.administrator_made': 'administration.did_administration_administrator_made',
  'administration.audit_read': 'administration.did_administration_audit_read',
  'administration.audit_exported': 'administration.did_administration_audit_exported',
  'administration.bordereau_prepared': 'administration.did_administration_bordereau_prepared',
  'administration.bordereau_released': 'administration.did_administration_bordereau_released',
  'administration.bordereau_downloaded': 'administration.did_administration_bordereau_downloaded',
  'administration.job_retried': 'administration.did_administration_job_retried',
  'administration.jobs_retried': 'administration.did_administration_jobs_retried',
  'administration.jobs_held': 'administration.did_administration_jobs_held',
  'administration.jobs_released': 'administration.did_administration_jobs_released',
  'administration.mail_retried': 'administration.did_administration_mail_retried',
  'administration.mails_listed': 'administration.did_administration_mails_listed',
  'administration.offer_changed': 'administration.did_administration_offer_changed',
  'administration.refund_transferred': 'administration.did_administration_refund_transferred',
  'administration.payment_settled': 'administration.did_administration_payment_settled',
  'administration.sessions_ended': 'administration.did_administration_sessions_ended',
  'administration.two_factor_reset': 'administration.did_administration_two_factor_reset',
  'administration.month_closed': 'administration.did_administration_month_closed',
  'administration.unit_changed': 'administration.did_administration_unit_changed',
  'administration.unit_created': 'administration.did_administration_unit_created',
  'administration.unit_suspended': 'administration.did_administration_unit_suspended',
  'administration.unit_resumed': 'administration.did_administration_unit_resumed',
  'administration.user_changed': 'administration.did_administration_user_changed',
  'administration.user_created': 'administration.did_administration_user_created',
  'administration.user_viewed': 'administration.did_administration_user_viewed',
  'administration.users_listed': 'administration.did_administration_users_listed',
} as const

/** The parts of the portal by the first words of the paths of pages and calls. */
const parts = [
  [/^(\/api)?\/administration/, 'shell.menu.administration'],
  [/^\/policies\/saved/, 'shell.menu.budget'],
  [/^\/(api\/(policy|policies|files)|policies)/, 'shell.menu.policies'],
  [/^\/(api\/(products|quotes|quote)|products|funnel)/, 'shell.menu.insurances'],
  [/^\/(api\/tickets\/claims|claim)/, 'shell.menu.claims'],
  [/^\/(api\/tickets|customer-service)/, 'shell.menu.customer_service'],
  [/^\/(api\/agency|account)/, 'shell.menu.account'],
] as const

/** Returns the audited actions in words, as choices of the filter. */
export const actionOptions = (words: Words): { value: string; label: string }[] =>
  Object.entries(sentences).map(([value, id]) => ({ value, label: words(id) }))

const isKnown = (code: string): code is keyof typeof sentences => code in sentences

/** Returns an action in words. A refused call is named by the part of the portal that it belongs to, if there is one. */
export function actionWords(code: string, words: Words): string {
  if (isKnown(code)) return words(sentences[code])
  const [, path] = /^[A-Z]+ (.+?)(\/_payload\.json)?$/.exec(code) ?? []
  if (!path) return code
  const [, part] = parts.find(([pattern]) => pattern.test(path)) ?? []
  return words('administration.did_refused_call', { what: part ? words(part) : path })
}

/** Shows if an action was done or refused. */
export function Outcome({ outcome }: { outcome: 'done' | 'refused' }) {
  const { words } = useWords()
  return outcome === 'done' ? (
    <State tone="success">{words('administration.outcome_done')}</State>
  ) : (
    <State tone="warning">{words('administration.outcome_refused')}</State>
  )
}
