-- The start page of a day: mails that did not arrive.
create index mails_refused on mails (business_unit_id, at) where state = 'refused';

-- What was sold in the last months lies together, so the ranges of a few blocks are enough to find it, and cost a sale next to nothing.
create index policies_sold on policies using brin (purchased_at) with (autosummarize = on);
