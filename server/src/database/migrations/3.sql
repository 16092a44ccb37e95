-- Icons that servers have fetched, until their time is over by the clock of the database. One without content is missing at its source.
create unlogged table portico.icons (
  key text primary key,
  media text,
  content bytea,
  at timestamptz not null,
  expires timestamptz not null
);
create index on portico.icons (at);
-- Pictures are compressed already.
alter table portico.icons alter column content set storage external;
