import type { Words } from '#portal/kit/words.tsx'

const names = {
  'mail.send': 'administration.job_mail_send',
  'mail.password_reset': 'administration.job_mail_password_reset',
  'mail.access_changed': 'administration.job_mail_access_changed',
  'mail.administrator_made': 'administration.job_mail_administrator_made',
  'agency.logo_removed': 'administration.job_agency_logo_removed',
  'mail.account_notice': 'administration.job_mail_account_notice',
  'policies.purchased': 'administration.job_policies_purchased',
  'policies.changed': 'administration.job_policies_purchased',
  'renewals.due': 'administration.job_renewals',
  'renewals.offered': 'administration.job_renewals',
  'renewals.outdated': 'administration.job_renewals',
  'policies.paid': 'administration.job_policies_paid',
  'changes.paid': 'administration.job_changes_paid',
  'client.withdrawal': 'administration.job_client_withdrawal',
  'client.quote_proof': 'administration.job_client_quote_proof',
  'client.find': 'administration.job_client_find',
  'administration.bordereau': 'administration.job_administration_bordereau',
  'reports.make': 'administration.job_reports_make',
  'privacy.copy': 'administration.job_privacy_copy',
  'privacy.contents': 'administration.job_privacy_contents',
  'documents.removed': 'administration.job_documents_removed',
} as const

const isKnown = (subscriber: string): subscriber is keyof typeof names => subscriber in names

/** Returns the name of a job in words. */
export const jobWords = (subscriber: string, words: Words): string => (isKnown(subscriber) ? words(names[subscriber]) : subscriber)
