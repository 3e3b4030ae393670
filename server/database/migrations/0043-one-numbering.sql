-- Since 0037 every number is taken from policy_numbering. Only nodes of 0.2.0 still write here, so they stop before this update.
drop table policy_numbers;
