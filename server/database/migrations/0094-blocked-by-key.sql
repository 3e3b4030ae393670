-- By it the start finds blocked data that another key sealed.
create index blocked_data_sealed on blocked_data (sealed_by);
