-- The day names the sales whose card was declined lately.
create index payment_events_failed on payment_events (business_unit_id, at) where kind = 'payment_intent.payment_failed';
