-- A dash stands for no second surname. Names are compared, sorted and listed without it from now on, also those of people from before.
set local row_security = on;

set local role portolan_privacy;

update policy_people set
  given_sort = regexp_replace(given_sort, '( [-–—.]+)+$', ''),
  name_sort = replace(name_sort, ' ' || lower(btrim(last_name)) || ' ', ' ')
where last_name ~ '^[-–—.[:space:]]+$' and company_name is null;

update policies set
  taker = regexp_replace(taker, '( [-–—.]+)+$', ''),
  taker_sort = regexp_replace(taker_sort, '( [-–—.]+)+$', '')
where taker ~ ' [-–—.]+$';

reset role;

set local row_security = off;
