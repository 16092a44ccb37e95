-- Tells databases apart, so that a copy of one is never taken for a copy of another.
create table portico.identity (id text primary key);
insert into portico.identity values (gen_random_uuid()::text);

-- The current files. A file without content has been deleted, or was never there.
create table portico.files (
  name text primary key,
  content bytea,
  revision bigint not null
);

-- What each change replaced, by whom and when. `change` is a line of the history, `before` a backup.
create table portico.revisions (
  revision bigint primary key,
  file text not null,
  at bigint not null,
  change text,
  backup text unique,
  before bytea
);
create index on portico.revisions (at);
create index on portico.revisions (file, revision) where backup is not null;

create sequence portico.revision;

-- Stores a file in one round trip. The lock makes transactions commit in the order of their revisions.
create function portico.store_file(
  file_name text, new_content bytea, origin text,
  change_at bigint, change_line text, backup_base text, old_content bytea, backup_limit bigint, history_limit bigint,
  out new_revision bigint, out backup_name text
) language plpgsql as $$
declare
  backup_at bigint := change_at;
begin
  perform pg_advisory_xact_lock(7038129144213077);
  new_revision := nextval('portico.revision');
  insert into portico.files (name, content, revision) values (file_name, new_content, new_revision)
    on conflict (name) do update set content = excluded.content, revision = excluded.revision;
  if backup_base is not null then
    loop
      backup_name := backup_base || '-' || backup_at || '.backup.yml';
      exit when not exists (select from portico.revisions where backup = backup_name);
      backup_at := backup_at + 1;
    end loop;
  end if;
  if change_line is not null then
    insert into portico.revisions (revision, file, at, change, backup, before)
      values (new_revision, file_name, change_at, change_line, backup_name, case when backup_base is not null then old_content end);
    if backup_limit > 0 then
      update portico.revisions set backup = null, before = null where revision in (
        select revision from portico.revisions where file = file_name and backup is not null
        order by revision desc offset backup_limit);
    end if;
    delete from portico.revisions where backup is null and (change is null or revision <= (
      select revision from portico.revisions where change is not null order by revision desc offset history_limit limit 1));
  end if;
  perform pg_notify('portico', 'file ' || origin || ' ' || new_revision || ' ' || file_name);
end $$;
