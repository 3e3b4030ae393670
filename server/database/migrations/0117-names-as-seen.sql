-- Names are found, sorted and compared without letters that are not seen (common/kit/text.ts). Those stored before lose them, too.
-- A letter between two spaces goes with one of them.
set local row_security = on;

set local role portolan_privacy;

do $$ declare
  unseen constant text := '[\u00AD\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u115F\u1160\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164'
    '\uFEFF\uFFA0\uFFF0-\uFFFB\U000110BD\U000110CD\U00013430-\U0001343F\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]+';
  each record;
begin
  for each in select * from (values
    ('policies', 'product_sort'), ('policies', 'taker_sort'), ('policies', 'seller_sort'), ('policies', 'reference_sort'), ('policies', 'search'),
    ('policy_people', 'name_sort'), ('policy_people', 'given_sort'), ('tickets', 'search')) as columns (in_table, name)
  loop
    execute format('update %1$I set %2$I = btrim(regexp_replace(%2$I, %3$L, '''', ''g'')) where %2$I ~ %4$L',
      each.in_table, each.name, ' ?' || unseen || '(?= |$)|' || unseen, unseen);
  end loop;
end $$;

reset role;

set local row_security = off;
