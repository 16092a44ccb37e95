-- What servers find out once for all of them, such as a panel or the state of a service: the last result, and which server works on
-- the next one, until when. The clock is that of the database.
create unlogged table portico.states (
  key text primary key,
  value text,
  failed boolean not null default false,
  at timestamptz,
  holder text,
  until timestamptz
);
create index on portico.states (at);

-- Takes the turn to find something out, unless there is a result that is new enough, or another server has the turn.
create function portico.claim(
  state_key text, max_age_ms bigint, max_failure_age_ms bigint, claimant text, lease_ms bigint,
  out is_ours boolean, out fresh text, out age_ms bigint, out wait_ms bigint
) language plpgsql as $$
declare
  state portico.states;
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into portico.states (key) values (state_key) on conflict do nothing;
  select * into strict state from portico.states where key = state_key for update;
  age_ms := extract(epoch from clock_timestamp() - state.at) * 1000;
  is_ours := false;
  if state.value is not null and age_ms < (case when state.failed then least(max_age_ms, max_failure_age_ms) else max_age_ms end) then
    fresh := state.value;
  elsif state.until is null or state.until <= clock_timestamp() then
    is_ours := true;
    update portico.states set holder = claimant, until = clock_timestamp() + lease_ms * interval '1 ms' where key = state_key;
  else
    wait_ms := extract(epoch from state.until - clock_timestamp()) * 1000;
  end if;
end $$;

-- Stores a result, and tells all servers. A notification has room for 8000 bytes; larger results are read when they are needed.
create function portico.finish(state_key text, new_value text, has_failed boolean, claimant text) returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  update portico.states set value = new_value, failed = has_failed, at = clock_timestamp(), holder = null, until = null
    where key = state_key and holder = claimant;
  if found then
    perform pg_notify('portico', 'state ' || claimant || ' ' || state_key || ' '
      || case when octet_length(new_value) < 7500 then new_value else '' end);
  end if;
  if random() < 0.001 then
    delete from portico.states where at < now() - interval '2 days';
  end if;
end $$;

-- When each person last signed out, in seconds since 1970. A person is a hash.
create table portico.sign_outs (person text primary key, at bigint not null);

create function portico.sign_out(who text, ended bigint, claimant text) returns void language plpgsql as $$
begin
  insert into portico.sign_outs as known (person, at) values (who, ended)
    on conflict (person) do update set at = greatest(known.at, excluded.at);
  -- No session lives longer.
  delete from portico.sign_outs where at < ended - 400 * 86400;
  perform pg_notify('portico', 'sign-out ' || claimant || ' ' || who || ' ' || ended);
end $$;
