-- The link of an offer's mail, which may have gone to any address.
alter table client_tokens
  drop constraint client_tokens_purpose_check,
  add constraint client_tokens_purpose_check check (purpose in ('policy', 'offer'));
