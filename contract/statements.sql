-- Every statement the resources cause, as the service sends it; only the line breaks are added here.
-- Written by "npm run generate".

-- employees: list (prepared as "list employees")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "employees"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: list from afar (prepared as "leap employees")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "employees"
    where id >= (select id
      from "employees"
      where id >= $2::bigint
      order by id limit 1 offset $3::bigint)
    order by id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'employees' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'employees' and scope = '' and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: list from afar, by the books themselves
with scopes as materialized (select array[''] as names), found as materialized (select found.*
  from scopes, muster_seek('employees', names, $2::bigint) found) select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "employees"
        where id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: list sorted by -alumni
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from "employees"
        where true
        order by "employees"."alumni" desc, "employees"."id" desc limit $1 offset $2)) with ordinality wanted (wanted_id, place) join "employees" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: find by a word, sorted by -alumni
with found as materialized (select id
  from (select "id", "alumni"
    from "employees"
    where search_text like muster_like($1) limit 200001) "employees"
  order by "employees"."alumni" desc, "employees"."id" desc) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from found limit $2::bigint offset $3::bigint)) with ordinality wanted (wanted_id, place) join "employees" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: count very many by a word, sorted by -alumni
select books.version, (select count(*)
  from "employees"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: list by status (prepared as "leap by status employees")
select books.version, muster_count('employees', array['status=' || muster_key($6::text)]), (select string_agg(record_json, ',')
  from (select record_json
    from "employees"
    where muster_key("status") <= muster_key($6::text) and (muster_key("status"), id) >= (muster_key($6::text), (select id
        from "employees"
        where muster_key("status") <= muster_key($6::text) and (muster_key("status"), id) >= (muster_key($6::text), $2::bigint)
        order by muster_key("status"), id limit 1 offset $3::bigint))
    order by muster_key("status"), id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'employees' and scope = 'status=' || muster_key($6::text)), 0) = $4::bigint and not exists (select
  from muster_journal
  where resource = 'employees' and scope = 'status=' || muster_key($6::text) and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: list by either status
with scopes as materialized (select array(select distinct 'status=' || muster_key(v)
    from unnest($3::text[]) v) as names), found as materialized (select found.*
  from scopes, muster_seek('employees', names, $2::bigint) found) select books.version, (select muster_count('employees', names)
  from scopes), (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "employees"
        where muster_key("status") = muster_key(($3::text[])[1]) and id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found)) union (select id, record_json
        from "employees"
        where muster_key("status") = muster_key(($3::text[])[2]) and id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: find by a word alone (prepared as "find by 1 employees")
with found as materialized (select id
  from (select "id"
    from "employees"
    where search_text like (select muster_like($1)) limit 200001) "employees"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "employees"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: find by code, dept_id, a word
with found as materialized (select id
  from (select "id"
    from "employees"
    where muster_key("code") = muster_key($1) and "dept_id" = $2::bigint and search_text like muster_like($3) limit 200001) "employees"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "employees"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: count very many by code, dept_id, a word
with blocks as materialized (select id >> 8 as block, count(*) as rows
  from "employees"
  where muster_key("code") = muster_key($1) and "dept_id" = $2::bigint and search_text like muster_like($3) group by 1) select books.version, (select string_agg(block::text, ','
    order by block)
  from blocks), (select string_agg(rows::text, ','
    order by block)
  from blocks)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: list by code, dept_id, a word while it changes all the time
select books.version, (select count(*)
  from "employees"
  where muster_key("code") = muster_key($1) and "dept_id" = $2::bigint and search_text like muster_like($3)), (select string_agg(record_json, ',')
  from (select record_json
    from "employees"
    where id = any (array(select id
        from "employees"
        where muster_key("code") = muster_key($4) and "dept_id" = $5::bigint and search_text like muster_like($6)
        order by id limit $7 offset $8))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: export as CSV
copy (select "employees"."id" as "id", case when ascii("employees"."code") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."code", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "code", case when ascii("employees"."first_name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."first_name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "first_name", case when ascii("employees"."last_name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."last_name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "last_name", case when ascii("employees"."email") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."email", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "email", "employees"."dept_id" as "dept_id", case when ascii("employees"."designation") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."designation", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "designation", "employees"."manager_id" as "manager_id", case when ascii("employees"."branch") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."branch", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "branch", case when ascii("employees"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", "employees"."date_of_joining" as "date_of_joining", case when ascii("employees"."gender") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."gender", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "gender", "employees"."base_salary" as "base_salary", "employees"."candidate_id" as "candidate_id", case when ascii("employees"."employment_type") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."employment_type", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "employment_type", "employees"."probation_end" as "probation_end", "employees"."termination_date" as "termination_date", "employees"."alumni" as "alumni",
  null as "password_hash"
  from "employees"
  order by id) to stdout (format csv, header);

-- employees: export as NDJSON
copy (select record_json
  from "employees"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- employees: export by a word
copy (select "employees"."id" as "id", case when ascii("employees"."code") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."code", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "code", case when ascii("employees"."first_name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."first_name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "first_name", case when ascii("employees"."last_name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."last_name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "last_name", case when ascii("employees"."email") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."email", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "email", "employees"."dept_id" as "dept_id", case when ascii("employees"."designation") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."designation", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "designation", "employees"."manager_id" as "manager_id", case when ascii("employees"."branch") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."branch", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "branch", case when ascii("employees"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", "employees"."date_of_joining" as "date_of_joining", case when ascii("employees"."gender") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."gender", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "gender", "employees"."base_salary" as "base_salary", "employees"."candidate_id" as "candidate_id", case when ascii("employees"."employment_type") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."employment_type", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "employment_type", "employees"."probation_end" as "probation_end", "employees"."termination_date" as "termination_date", "employees"."alumni" as "alumni",
  null as "password_hash"
  from "employees"
  where search_text like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- employees: count an export by a word
select books.version, (select count(*)
  from "employees"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: count by status (prepared as "count by status employees")
with recursive folded (scope) as (select (select scope
    from muster_blocks
    where resource = 'employees' and scope < 'status>' and scope >= 'status='
    order by scope limit 1) union all select (select scope
    from muster_blocks
    where resource = 'employees' and scope < 'status>' and scope > folded.scope
    order by scope limit 1)
  from folded
  where folded.scope is not null), groups as materialized (select *
  from (select substr(scope, 8) as value_1, muster_count('employees', array[scope]) as count
    from (select scope
      from folded
      where scope is not null union select scope
      from muster_journal
      where resource = 'employees' and scope < 'status>' and scope >= 'status=') scopes) counted
  where count > 0 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "status", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: count by code
with groups as materialized (select muster_key("code") collate "C" as value_1, count(*) as count
  from "employees"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "code", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: count by dept_id
with groups as materialized (select "dept_id" as value_1, count(*) as count
  from "employees"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "dept_id", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: count by month(date_of_joining)
with groups as materialized (select date_trunc('month', "date_of_joining"::timestamp) as value_1, count(*) as count
  from "employees"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select to_char(value_1, 'YYYY-MM') as "month(date_of_joining)", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: count by status and code where a word is found
with groups as materialized (select muster_key("status") collate "C" as value_1, muster_key("code") collate "C" as value_2, count(*) as count
  from "employees"
  where search_text like muster_like($1) group by 1, 2 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "status", value_2 as "code", count) answered) as text
    from groups
    order by value_1 nulls last, value_2 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: get (prepared as "get employees")
select id, books.version, record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books
left join "employees" on id = any ($1);

-- employees: list, redacted (prepared as "list employees, redacted")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "employees"."id" as "id", "employees"."code" as "code",
  null as "first_name",
  null as "last_name",
  null as "email", "employees"."dept_id" as "dept_id", "employees"."designation" as "designation", "employees"."manager_id" as "manager_id", "employees"."branch" as "branch", "employees"."status" as "status",
  to_char("employees"."date_of_joining", 'YYYY-MM-DD') as "date_of_joining",
  null as "gender",
  null as "base_salary", "employees"."candidate_id" as "candidate_id", "employees"."employment_type" as "employment_type",
  null as "probation_end",
  null as "termination_date", "employees"."alumni" as "alumni",
  null as "password_hash") record) as record_json
    from "employees"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: export as CSV, redacted
copy (select "employees"."id" as "id", case when ascii("employees"."code") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."code", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "code",
  null as "first_name",
  null as "last_name",
  null as "email", "employees"."dept_id" as "dept_id", case when ascii("employees"."designation") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."designation", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "designation", "employees"."manager_id" as "manager_id", case when ascii("employees"."branch") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."branch", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "branch", case when ascii("employees"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", "employees"."date_of_joining" as "date_of_joining",
  null as "gender",
  null as "base_salary", "employees"."candidate_id" as "candidate_id", case when ascii("employees"."employment_type") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."employment_type", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "employment_type",
  null as "probation_end",
  null as "termination_date", "employees"."alumni" as "alumni",
  null as "password_hash"
  from "employees"
  order by id) to stdout (format csv, header);

-- employees: export as NDJSON, redacted
copy (select (select row_to_json(record)::text
    from (select "employees"."id" as "id", "employees"."code" as "code",
  null as "first_name",
  null as "last_name",
  null as "email", "employees"."dept_id" as "dept_id", "employees"."designation" as "designation", "employees"."manager_id" as "manager_id", "employees"."branch" as "branch", "employees"."status" as "status",
  to_char("employees"."date_of_joining", 'YYYY-MM-DD') as "date_of_joining",
  null as "gender",
  null as "base_salary", "employees"."candidate_id" as "candidate_id", "employees"."employment_type" as "employment_type",
  null as "probation_end",
  null as "termination_date", "employees"."alumni" as "alumni",
  null as "password_hash") record) as record_json
  from "employees"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- employees: export by a word, redacted
copy (select "employees"."id" as "id", case when ascii("employees"."code") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."code", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "code",
  null as "first_name",
  null as "last_name",
  null as "email", "employees"."dept_id" as "dept_id", case when ascii("employees"."designation") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."designation", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "designation", "employees"."manager_id" as "manager_id", case when ascii("employees"."branch") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."branch", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "branch", case when ascii("employees"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", "employees"."date_of_joining" as "date_of_joining",
  null as "gender",
  null as "base_salary", "employees"."candidate_id" as "candidate_id", case when ascii("employees"."employment_type") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("employees"."employment_type", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "employment_type",
  null as "probation_end",
  null as "termination_date", "employees"."alumni" as "alumni",
  null as "password_hash"
  from "employees"
  where search_text_public like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- employees: count an export by a word, redacted
select books.version, (select count(*)
  from "employees"
  where search_text_public like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: find by a word, redacted
with found as materialized (select id
  from (select "id"
    from "employees"
    where search_text_public like muster_like($1) limit 200001) "employees"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "employees"."id" as "id", "employees"."code" as "code",
  null as "first_name",
  null as "last_name",
  null as "email", "employees"."dept_id" as "dept_id", "employees"."designation" as "designation", "employees"."manager_id" as "manager_id", "employees"."branch" as "branch", "employees"."status" as "status",
  to_char("employees"."date_of_joining", 'YYYY-MM-DD') as "date_of_joining",
  null as "gender",
  null as "base_salary", "employees"."candidate_id" as "candidate_id", "employees"."employment_type" as "employment_type",
  null as "probation_end",
  null as "termination_date", "employees"."alumni" as "alumni",
  null as "password_hash") record) as record_json
    from "employees"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "employees"."id" as "id", "employees"."code" as "code") record) as record_json
    from "employees"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: get with related records
select id, books.version, left("employees".record_json, -1) || ',"department":' || coalesce((select related.record_json
    from "departments" related
    where related.id = "employees"."dept_id"), 'null') || ',"manager":' || coalesce((select related.record_json
    from "employees" related
    where related.id = "employees"."manager_id"), 'null') || ',"candidate":' || coalesce((select related.record_json
    from "candidates" related
    where related.id = "employees"."candidate_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'departments'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'candidates'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees', 'departments', 'candidates']) else '' end as version, coalesce(sum(rows) filter (where resource = 'employees'), 0)::bigint as rows
  from muster_ledger
  where resource in ('employees', 'departments', 'candidates')) books
left join "employees" on id = any ($1);

-- employees: get with related records, redacted
select id, books.version, left((select row_to_json(record)::text
    from (select "employees"."id" as "id", "employees"."code" as "code",
  null as "first_name",
  null as "last_name",
  null as "email", "employees"."dept_id" as "dept_id", "employees"."designation" as "designation", "employees"."manager_id" as "manager_id", "employees"."branch" as "branch", "employees"."status" as "status",
  to_char("employees"."date_of_joining", 'YYYY-MM-DD') as "date_of_joining",
  null as "gender",
  null as "base_salary", "employees"."candidate_id" as "candidate_id", "employees"."employment_type" as "employment_type",
  null as "probation_end",
  null as "termination_date", "employees"."alumni" as "alumni",
  null as "password_hash") record), -1) || ',"department":' || coalesce((select related.record_json
    from "departments" related
    where related.id = "employees"."dept_id"), 'null') || ',"manager":' || coalesce((select (select row_to_json(record)::text
      from (select related."id" as "id", related."code" as "code",
  null as "first_name",
  null as "last_name",
  null as "email", related."dept_id" as "dept_id", related."designation" as "designation", related."manager_id" as "manager_id", related."branch" as "branch", related."status" as "status",
  to_char(related."date_of_joining", 'YYYY-MM-DD') as "date_of_joining",
  null as "gender",
  null as "base_salary", related."candidate_id" as "candidate_id", related."employment_type" as "employment_type",
  null as "probation_end",
  null as "termination_date", related."alumni" as "alumni",
  null as "password_hash") record)
    from "employees" related
    where related.id = "employees"."manager_id"), 'null') || ',"candidate":' || coalesce((select (select row_to_json(record)::text
      from (select related."id" as "id",
  null as "first_name",
  null as "last_name",
  null as "email",
  null as "phone",
  null as "location", related."headline" as "headline", related."current_title" as "current_title",
  null as "current_employer", related."years_experience" as "years_experience",
  null as "linkedin_url", related."source" as "source", related."referred_by" as "referred_by",
  rtrim(rtrim(to_char(related."consent_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "consent_at", related."status" as "status",
  null as "notes",
  rtrim(rtrim(to_char(related."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created") record)
    from "candidates" related
    where related.id = "employees"."candidate_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'departments'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'candidates'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['employees', 'departments', 'candidates']) else '' end as version, coalesce(sum(rows) filter (where resource = 'employees'), 0)::bigint as rows
  from muster_ledger
  where resource in ('employees', 'departments', 'candidates')) books
left join "employees" on id = any ($1);

-- departments: list (prepared as "list departments")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "departments"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['departments']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: list from afar (prepared as "leap departments")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "departments"
    where id >= (select id
      from "departments"
      where id >= $2::bigint
      order by id limit 1 offset $3::bigint)
    order by id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'departments' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'departments' and scope = '' and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['departments']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: list from afar, by the books themselves
with scopes as materialized (select array[''] as names), found as materialized (select found.*
  from scopes, muster_seek('departments', names, $2::bigint) found) select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "departments"
        where id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['departments']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: list sorted by -name
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from "departments"
        where true
        order by muster_key("departments"."name") collate "C" desc, "departments"."id" desc limit $1 offset $2)) with ordinality wanted (wanted_id, place) join "departments" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['departments']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: find by a word, sorted by -name
with found as materialized (select id
  from (select "id", "name"
    from "departments"
    where search_text like muster_like($1) limit 200001) "departments"
  order by muster_key("departments"."name") collate "C" desc, "departments"."id" desc) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from found limit $2::bigint offset $3::bigint)) with ordinality wanted (wanted_id, place) join "departments" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['departments']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: count very many by a word, sorted by -name
select books.version, (select count(*)
  from "departments"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['departments']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: find by a word alone (prepared as "find by 1 departments")
with found as materialized (select id
  from (select "id"
    from "departments"
    where search_text like (select muster_like($1)) limit 200001) "departments"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "departments"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['departments']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: find by a word
with found as materialized (select id
  from (select "id"
    from "departments"
    where search_text like muster_like($1) limit 200001) "departments"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "departments"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['departments']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: count very many by a word
with blocks as materialized (select id >> 8 as block, count(*) as rows
  from "departments"
  where search_text like muster_like($1) group by 1) select books.version, (select string_agg(block::text, ','
    order by block)
  from blocks), (select string_agg(rows::text, ','
    order by block)
  from blocks)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['departments']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: list by a word while it changes all the time
select books.version, (select count(*)
  from "departments"
  where search_text like muster_like($1)), (select string_agg(record_json, ',')
  from (select record_json
    from "departments"
    where id = any (array(select id
        from "departments"
        where search_text like muster_like($2)
        order by id limit $3 offset $4))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['departments']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: export as CSV
copy (select "departments"."id" as "id", case when ascii("departments"."name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("departments"."name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "name"
  from "departments"
  order by id) to stdout (format csv, header);

-- departments: export as NDJSON
copy (select record_json
  from "departments"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- departments: export by a word
copy (select "departments"."id" as "id", case when ascii("departments"."name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("departments"."name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "name"
  from "departments"
  where search_text like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- departments: count an export by a word
select books.version, (select count(*)
  from "departments"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['departments']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: get (prepared as "get departments")
select id, books.version, record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['departments']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books
left join "departments" on id = any ($1);

-- departments: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "departments"."id" as "id", "departments"."name" as "name") record) as record_json
    from "departments"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['departments']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- leave: list (prepared as "list leave")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "leave_requests"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: list from afar (prepared as "leap leave")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "leave_requests"
    where id >= (select id
      from "leave_requests"
      where id >= $2::bigint
      order by id limit 1 offset $3::bigint)
    order by id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'leave_requests' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'leave_requests' and scope = '' and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: list from afar, by the books themselves
with scopes as materialized (select array[''] as names), found as materialized (select found.*
  from scopes, muster_seek('leave_requests', names, $2::bigint) found) select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "leave_requests"
        where id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: list sorted by -applied_on
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from "leave_requests"
        where true
        order by "leave_requests"."applied_on" desc, "leave_requests"."id" desc limit $1 offset $2)) with ordinality wanted (wanted_id, place) join "leave_requests" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: find by a word, sorted by -applied_on
with found as materialized (select id
  from (select "id", "applied_on"
    from "leave_requests"
    where search_text like muster_like($1) limit 200001) "leave_requests"
  order by "leave_requests"."applied_on" desc, "leave_requests"."id" desc) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from found limit $2::bigint offset $3::bigint)) with ordinality wanted (wanted_id, place) join "leave_requests" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: count very many by a word, sorted by -applied_on
select books.version, (select count(*)
  from "leave_requests"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: list by status (prepared as "leap by status leave")
select books.version, muster_count('leave_requests', array['status=' || muster_key($6::text)]), (select string_agg(record_json, ',')
  from (select record_json
    from "leave_requests"
    where muster_key("status") <= muster_key($6::text) and (muster_key("status"), id) >= (muster_key($6::text), (select id
        from "leave_requests"
        where muster_key("status") <= muster_key($6::text) and (muster_key("status"), id) >= (muster_key($6::text), $2::bigint)
        order by muster_key("status"), id limit 1 offset $3::bigint))
    order by muster_key("status"), id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'leave_requests' and scope = 'status=' || muster_key($6::text)), 0) = $4::bigint and not exists (select
  from muster_journal
  where resource = 'leave_requests' and scope = 'status=' || muster_key($6::text) and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: list by either status
with scopes as materialized (select array(select distinct 'status=' || muster_key(v)
    from unnest($3::text[]) v) as names), found as materialized (select found.*
  from scopes, muster_seek('leave_requests', names, $2::bigint) found) select books.version, (select muster_count('leave_requests', names)
  from scopes), (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "leave_requests"
        where muster_key("status") = muster_key(($3::text[])[1]) and id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found)) union (select id, record_json
        from "leave_requests"
        where muster_key("status") = muster_key(($3::text[])[2]) and id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: find by a word alone (prepared as "find by 1 leave")
with found as materialized (select id
  from (select "id"
    from "leave_requests"
    where search_text like (select muster_like($1)) limit 200001) "leave_requests"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "leave_requests"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: find by leave_type, employee_id, a word
with found as materialized (select id
  from (select "id"
    from "leave_requests"
    where muster_key("leave_type") = muster_key($1) and "employee_id" = $2::bigint and search_text like muster_like($3) limit 200001) "leave_requests"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "leave_requests"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: count very many by leave_type, employee_id, a word
with blocks as materialized (select id >> 8 as block, count(*) as rows
  from "leave_requests"
  where muster_key("leave_type") = muster_key($1) and "employee_id" = $2::bigint and search_text like muster_like($3) group by 1) select books.version, (select string_agg(block::text, ','
    order by block)
  from blocks), (select string_agg(rows::text, ','
    order by block)
  from blocks)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: list by leave_type, employee_id, a word while it changes all the time
select books.version, (select count(*)
  from "leave_requests"
  where muster_key("leave_type") = muster_key($1) and "employee_id" = $2::bigint and search_text like muster_like($3)), (select string_agg(record_json, ',')
  from (select record_json
    from "leave_requests"
    where id = any (array(select id
        from "leave_requests"
        where muster_key("leave_type") = muster_key($4) and "employee_id" = $5::bigint and search_text like muster_like($6)
        order by id limit $7 offset $8))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: export as CSV
copy (select "leave_requests"."id" as "id", "leave_requests"."employee_id" as "employee_id", case when ascii("leave_requests"."leave_type") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("leave_requests"."leave_type", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "leave_type", "leave_requests"."from_date" as "from_date", "leave_requests"."to_date" as "to_date", "leave_requests"."days" as "days", case when ascii("leave_requests"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("leave_requests"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", case when ascii("leave_requests"."reason") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("leave_requests"."reason", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "reason", "leave_requests"."applied_on" as "applied_on"
  from "leave_requests"
  order by id) to stdout (format csv, header);

-- leave: export as NDJSON
copy (select record_json
  from "leave_requests"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- leave: export by a word
copy (select "leave_requests"."id" as "id", "leave_requests"."employee_id" as "employee_id", case when ascii("leave_requests"."leave_type") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("leave_requests"."leave_type", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "leave_type", "leave_requests"."from_date" as "from_date", "leave_requests"."to_date" as "to_date", "leave_requests"."days" as "days", case when ascii("leave_requests"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("leave_requests"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", case when ascii("leave_requests"."reason") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("leave_requests"."reason", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "reason", "leave_requests"."applied_on" as "applied_on"
  from "leave_requests"
  where search_text like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- leave: count an export by a word
select books.version, (select count(*)
  from "leave_requests"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: count by status (prepared as "count by status leave")
with recursive folded (scope) as (select (select scope
    from muster_blocks
    where resource = 'leave_requests' and scope < 'status>' and scope >= 'status='
    order by scope limit 1) union all select (select scope
    from muster_blocks
    where resource = 'leave_requests' and scope < 'status>' and scope > folded.scope
    order by scope limit 1)
  from folded
  where folded.scope is not null), groups as materialized (select *
  from (select substr(scope, 8) as value_1, muster_count('leave_requests', array[scope]) as count
    from (select scope
      from folded
      where scope is not null union select scope
      from muster_journal
      where resource = 'leave_requests' and scope < 'status>' and scope >= 'status=') scopes) counted
  where count > 0 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "status", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: count by leave_type
with groups as materialized (select muster_key("leave_type") collate "C" as value_1, count(*) as count
  from "leave_requests"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "leave_type", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: count by employee_id
with groups as materialized (select "employee_id" as value_1, count(*) as count
  from "leave_requests"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "employee_id", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: count by month(from_date)
with groups as materialized (select date_trunc('month', "from_date"::timestamp) as value_1, count(*) as count
  from "leave_requests"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select to_char(value_1, 'YYYY-MM') as "month(from_date)", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: count by status and leave_type where a word is found
with groups as materialized (select muster_key("status") collate "C" as value_1, muster_key("leave_type") collate "C" as value_2, count(*) as count
  from "leave_requests"
  where search_text like muster_like($1) group by 1, 2 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "status", value_2 as "leave_type", count) answered) as text
    from groups
    order by value_1 nulls last, value_2 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: get (prepared as "get leave")
select id, books.version, record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books
left join "leave_requests" on id = any ($1);

-- leave: list, redacted (prepared as "list leave, redacted")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "leave_requests"."id" as "id", "leave_requests"."employee_id" as "employee_id", "leave_requests"."leave_type" as "leave_type",
  to_char("leave_requests"."from_date", 'YYYY-MM-DD') as "from_date",
  to_char("leave_requests"."to_date", 'YYYY-MM-DD') as "to_date", "leave_requests"."days" as "days", "leave_requests"."status" as "status",
  null as "reason",
  to_char("leave_requests"."applied_on", 'YYYY-MM-DD') as "applied_on") record) as record_json
    from "leave_requests"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: export as CSV, redacted
copy (select "leave_requests"."id" as "id", "leave_requests"."employee_id" as "employee_id", case when ascii("leave_requests"."leave_type") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("leave_requests"."leave_type", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "leave_type", "leave_requests"."from_date" as "from_date", "leave_requests"."to_date" as "to_date", "leave_requests"."days" as "days", case when ascii("leave_requests"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("leave_requests"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status",
  null as "reason", "leave_requests"."applied_on" as "applied_on"
  from "leave_requests"
  order by id) to stdout (format csv, header);

-- leave: export as NDJSON, redacted
copy (select (select row_to_json(record)::text
    from (select "leave_requests"."id" as "id", "leave_requests"."employee_id" as "employee_id", "leave_requests"."leave_type" as "leave_type",
  to_char("leave_requests"."from_date", 'YYYY-MM-DD') as "from_date",
  to_char("leave_requests"."to_date", 'YYYY-MM-DD') as "to_date", "leave_requests"."days" as "days", "leave_requests"."status" as "status",
  null as "reason",
  to_char("leave_requests"."applied_on", 'YYYY-MM-DD') as "applied_on") record) as record_json
  from "leave_requests"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- leave: export by a word, redacted
copy (select "leave_requests"."id" as "id", "leave_requests"."employee_id" as "employee_id", case when ascii("leave_requests"."leave_type") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("leave_requests"."leave_type", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "leave_type", "leave_requests"."from_date" as "from_date", "leave_requests"."to_date" as "to_date", "leave_requests"."days" as "days", case when ascii("leave_requests"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("leave_requests"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status",
  null as "reason", "leave_requests"."applied_on" as "applied_on"
  from "leave_requests"
  where search_text_public like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- leave: count an export by a word, redacted
select books.version, (select count(*)
  from "leave_requests"
  where search_text_public like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: find by a word, redacted
with found as materialized (select id
  from (select "id"
    from "leave_requests"
    where search_text_public like muster_like($1) limit 200001) "leave_requests"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "leave_requests"."id" as "id", "leave_requests"."employee_id" as "employee_id", "leave_requests"."leave_type" as "leave_type",
  to_char("leave_requests"."from_date", 'YYYY-MM-DD') as "from_date",
  to_char("leave_requests"."to_date", 'YYYY-MM-DD') as "to_date", "leave_requests"."days" as "days", "leave_requests"."status" as "status",
  null as "reason",
  to_char("leave_requests"."applied_on", 'YYYY-MM-DD') as "applied_on") record) as record_json
    from "leave_requests"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "leave_requests"."id" as "id", "leave_requests"."employee_id" as "employee_id") record) as record_json
    from "leave_requests"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: get with related records
select id, books.version, left("leave_requests".record_json, -1) || ',"employee":' || coalesce((select related.record_json
    from "employees" related
    where related.id = "leave_requests"."employee_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'leave_requests'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests', 'employees']) else '' end as version, coalesce(sum(rows) filter (where resource = 'leave_requests'), 0)::bigint as rows
  from muster_ledger
  where resource in ('leave_requests', 'employees')) books
left join "leave_requests" on id = any ($1);

-- leave: get with related records, redacted
select id, books.version, left((select row_to_json(record)::text
    from (select "leave_requests"."id" as "id", "leave_requests"."employee_id" as "employee_id", "leave_requests"."leave_type" as "leave_type",
  to_char("leave_requests"."from_date", 'YYYY-MM-DD') as "from_date",
  to_char("leave_requests"."to_date", 'YYYY-MM-DD') as "to_date", "leave_requests"."days" as "days", "leave_requests"."status" as "status",
  null as "reason",
  to_char("leave_requests"."applied_on", 'YYYY-MM-DD') as "applied_on") record), -1) || ',"employee":' || coalesce((select (select row_to_json(record)::text
      from (select related."id" as "id", related."code" as "code",
  null as "first_name",
  null as "last_name",
  null as "email", related."dept_id" as "dept_id", related."designation" as "designation", related."manager_id" as "manager_id", related."branch" as "branch", related."status" as "status",
  to_char(related."date_of_joining", 'YYYY-MM-DD') as "date_of_joining",
  null as "gender",
  null as "base_salary", related."candidate_id" as "candidate_id", related."employment_type" as "employment_type",
  null as "probation_end",
  null as "termination_date", related."alumni" as "alumni",
  null as "password_hash") record)
    from "employees" related
    where related.id = "leave_requests"."employee_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'leave_requests'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['leave_requests', 'employees']) else '' end as version, coalesce(sum(rows) filter (where resource = 'leave_requests'), 0)::bigint as rows
  from muster_ledger
  where resource in ('leave_requests', 'employees')) books
left join "leave_requests" on id = any ($1);

-- leave: create (prepared as "create leave")
with made as (insert into "leave_requests" ("employee_id", "leave_type", "from_date", "to_date", "days", "status", "reason", "applied_on") select $1::bigint, $2::text, $3::date, $4::date, $5::double precision, $6::text, $7::text, case when $9::boolean then (now() at time zone 'utc')::date else $8::date end
  from (select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true), set_config('client_min_messages', 'warning', true)) durably
  returning id, record_json), noted as (insert into muster_writes (request_id, token, route, record_id, outcome) select $10, $11, 'POST /v1/leave', id, 'created'
  from made) select id, record_json
from made;

-- leave: create with a key (prepared as "create leave once")
with claim as (insert into muster_idempotency_keys (resource, key, fingerprint, record_id) select 'leave', $12::text, $13::bytea, nextval(pg_get_serial_sequence('leave_requests', 'id'))
  from (select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true), set_config('client_min_messages', 'warning', true)) durably on conflict do nothing
  returning record_id), made as (insert into "leave_requests" (id, "employee_id", "leave_type", "from_date", "to_date", "days", "status", "reason", "applied_on") select record_id, $1::bigint, $2::text, $3::date, $4::date, $5::double precision, $6::text, $7::text, case when $9::boolean then (now() at time zone 'utc')::date else $8::date end
  from claim
  returning id, record_json), noted as (insert into muster_writes (request_id, token, route, record_id, outcome) select $10, $11, 'POST /v1/leave', id, 'created'
  from made) select id, record_json
from made;

-- leave: what a taken key stands for (prepared as "claimed leave")
select fingerprint = $2, id, record_json
from muster_idempotency_keys
left join "leave_requests" on id = record_id
where resource = 'leave' and key = $1;

-- leave: what stands against a create
select not exists (select from "employees" where id = $1::bigint);

-- attendance: list (prepared as "list attendance")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "attendance"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: list from afar (prepared as "leap attendance")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "attendance"
    where id >= (select id
      from "attendance"
      where id >= $2::bigint
      order by id limit 1 offset $3::bigint)
    order by id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'attendance' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'attendance' and scope = '' and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: list from afar, by the books themselves
with scopes as materialized (select array[''] as names), found as materialized (select found.*
  from scopes, muster_seek('attendance', names, $2::bigint) found) select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "attendance"
        where id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: list sorted by -hours
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from "attendance"
        where true
        order by "attendance"."hours" desc, "attendance"."id" desc limit $1 offset $2)) with ordinality wanted (wanted_id, place) join "attendance" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: find by a word, sorted by -hours
with found as materialized (select id
  from (select "id", "hours"
    from "attendance"
    where search_text like muster_like($1) limit 200001) "attendance"
  order by "attendance"."hours" desc, "attendance"."id" desc) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from found limit $2::bigint offset $3::bigint)) with ordinality wanted (wanted_id, place) join "attendance" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: count very many by a word, sorted by -hours
select books.version, (select count(*)
  from "attendance"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: list by status (prepared as "leap by status attendance")
select books.version, muster_count('attendance', array['status=' || muster_key($6::text)]), (select string_agg(record_json, ',')
  from (select record_json
    from "attendance"
    where muster_key("status") <= muster_key($6::text) and (muster_key("status"), id) >= (muster_key($6::text), (select id
        from "attendance"
        where muster_key("status") <= muster_key($6::text) and (muster_key("status"), id) >= (muster_key($6::text), $2::bigint)
        order by muster_key("status"), id limit 1 offset $3::bigint))
    order by muster_key("status"), id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'attendance' and scope = 'status=' || muster_key($6::text)), 0) = $4::bigint and not exists (select
  from muster_journal
  where resource = 'attendance' and scope = 'status=' || muster_key($6::text) and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: list by either status
with scopes as materialized (select array(select distinct 'status=' || muster_key(v)
    from unnest($3::text[]) v) as names), found as materialized (select found.*
  from scopes, muster_seek('attendance', names, $2::bigint) found) select books.version, (select muster_count('attendance', names)
  from scopes), (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "attendance"
        where muster_key("status") = muster_key(($3::text[])[1]) and id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found)) union (select id, record_json
        from "attendance"
        where muster_key("status") = muster_key(($3::text[])[2]) and id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: find by a word alone (prepared as "find by 1 attendance")
with found as materialized (select id
  from (select "id"
    from "attendance"
    where search_text like (select muster_like($1)) limit 200001) "attendance"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "attendance"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: find by status, employee_id, a word
with found as materialized (select id
  from (select "id"
    from "attendance"
    where muster_key("status") = muster_key($1) and "employee_id" = $2::bigint and search_text like muster_like($3) limit 200001) "attendance"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "attendance"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: count very many by status, employee_id, a word
with blocks as materialized (select id >> 8 as block, count(*) as rows
  from "attendance"
  where muster_key("status") = muster_key($1) and "employee_id" = $2::bigint and search_text like muster_like($3) group by 1) select books.version, (select string_agg(block::text, ','
    order by block)
  from blocks), (select string_agg(rows::text, ','
    order by block)
  from blocks)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: list by status, employee_id, a word while it changes all the time
select books.version, (select count(*)
  from "attendance"
  where muster_key("status") = muster_key($1) and "employee_id" = $2::bigint and search_text like muster_like($3)), (select string_agg(record_json, ',')
  from (select record_json
    from "attendance"
    where id = any (array(select id
        from "attendance"
        where muster_key("status") = muster_key($4) and "employee_id" = $5::bigint and search_text like muster_like($6)
        order by id limit $7 offset $8))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: export as CSV
copy (select "attendance"."id" as "id", "attendance"."employee_id" as "employee_id", "attendance"."att_date" as "att_date", case when ascii("attendance"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("attendance"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", "attendance"."hours" as "hours"
  from "attendance"
  order by id) to stdout (format csv, header);

-- attendance: export as NDJSON
copy (select record_json
  from "attendance"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- attendance: export by a word
copy (select "attendance"."id" as "id", "attendance"."employee_id" as "employee_id", "attendance"."att_date" as "att_date", case when ascii("attendance"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("attendance"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", "attendance"."hours" as "hours"
  from "attendance"
  where search_text like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- attendance: count an export by a word
select books.version, (select count(*)
  from "attendance"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: count by status (prepared as "count by status attendance")
with recursive folded (scope) as (select (select scope
    from muster_blocks
    where resource = 'attendance' and scope < 'status>' and scope >= 'status='
    order by scope limit 1) union all select (select scope
    from muster_blocks
    where resource = 'attendance' and scope < 'status>' and scope > folded.scope
    order by scope limit 1)
  from folded
  where folded.scope is not null), groups as materialized (select *
  from (select substr(scope, 8) as value_1, muster_count('attendance', array[scope]) as count
    from (select scope
      from folded
      where scope is not null union select scope
      from muster_journal
      where resource = 'attendance' and scope < 'status>' and scope >= 'status=') scopes) counted
  where count > 0 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "status", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: count by employee_id
with groups as materialized (select "employee_id" as value_1, count(*) as count
  from "attendance"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "employee_id", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: count by month(att_date)
with groups as materialized (select date_trunc('month', "att_date"::timestamp) as value_1, count(*) as count
  from "attendance"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select to_char(value_1, 'YYYY-MM') as "month(att_date)", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: count by status and employee_id where a word is found
with groups as materialized (select muster_key("status") collate "C" as value_1, "employee_id" as value_2, count(*) as count
  from "attendance"
  where search_text like muster_like($1) group by 1, 2 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "status", value_2 as "employee_id", count) answered) as text
    from groups
    order by value_1 nulls last, value_2 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: get (prepared as "get attendance")
select id, books.version, record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books
left join "attendance" on id = any ($1);

-- attendance: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "attendance"."id" as "id", "attendance"."employee_id" as "employee_id") record) as record_json
    from "attendance"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: get with related records
select id, books.version, left("attendance".record_json, -1) || ',"employee":' || coalesce((select related.record_json
    from "employees" related
    where related.id = "attendance"."employee_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'attendance'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance', 'employees']) else '' end as version, coalesce(sum(rows) filter (where resource = 'attendance'), 0)::bigint as rows
  from muster_ledger
  where resource in ('attendance', 'employees')) books
left join "attendance" on id = any ($1);

-- attendance: get with related records, redacted
select id, books.version, left("attendance".record_json, -1) || ',"employee":' || coalesce((select (select row_to_json(record)::text
      from (select related."id" as "id", related."code" as "code",
  null as "first_name",
  null as "last_name",
  null as "email", related."dept_id" as "dept_id", related."designation" as "designation", related."manager_id" as "manager_id", related."branch" as "branch", related."status" as "status",
  to_char(related."date_of_joining", 'YYYY-MM-DD') as "date_of_joining",
  null as "gender",
  null as "base_salary", related."candidate_id" as "candidate_id", related."employment_type" as "employment_type",
  null as "probation_end",
  null as "termination_date", related."alumni" as "alumni",
  null as "password_hash") record)
    from "employees" related
    where related.id = "attendance"."employee_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'attendance'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['attendance', 'employees']) else '' end as version, coalesce(sum(rows) filter (where resource = 'attendance'), 0)::bigint as rows
  from muster_ledger
  where resource in ('attendance', 'employees')) books
left join "attendance" on id = any ($1);

-- jobs: list (prepared as "list jobs")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "job_openings"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: list from afar (prepared as "leap jobs")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "job_openings"
    where id >= (select id
      from "job_openings"
      where id >= $2::bigint
      order by id limit 1 offset $3::bigint)
    order by id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'job_openings' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'job_openings' and scope = '' and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: list from afar, by the books themselves
with scopes as materialized (select array[''] as names), found as materialized (select found.*
  from scopes, muster_seek('job_openings', names, $2::bigint) found) select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "job_openings"
        where id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: list sorted by -created
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from "job_openings"
        where true
        order by "job_openings"."created" desc, "job_openings"."id" desc limit $1 offset $2)) with ordinality wanted (wanted_id, place) join "job_openings" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: find by a word, sorted by -created
with found as materialized (select id
  from (select "id", "created"
    from "job_openings"
    where search_text like muster_like($1) limit 200001) "job_openings"
  order by "job_openings"."created" desc, "job_openings"."id" desc) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from found limit $2::bigint offset $3::bigint)) with ordinality wanted (wanted_id, place) join "job_openings" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: count very many by a word, sorted by -created
select books.version, (select count(*)
  from "job_openings"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: list by status (prepared as "leap by status jobs")
select books.version, muster_count('job_openings', array['status=' || muster_key($6::text)]), (select string_agg(record_json, ',')
  from (select record_json
    from "job_openings"
    where muster_key("status") <= muster_key($6::text) and (muster_key("status"), id) >= (muster_key($6::text), (select id
        from "job_openings"
        where muster_key("status") <= muster_key($6::text) and (muster_key("status"), id) >= (muster_key($6::text), $2::bigint)
        order by muster_key("status"), id limit 1 offset $3::bigint))
    order by muster_key("status"), id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'job_openings' and scope = 'status=' || muster_key($6::text)), 0) = $4::bigint and not exists (select
  from muster_journal
  where resource = 'job_openings' and scope = 'status=' || muster_key($6::text) and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: list by either status
with scopes as materialized (select array(select distinct 'status=' || muster_key(v)
    from unnest($3::text[]) v) as names), found as materialized (select found.*
  from scopes, muster_seek('job_openings', names, $2::bigint) found) select books.version, (select muster_count('job_openings', names)
  from scopes), (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "job_openings"
        where muster_key("status") = muster_key(($3::text[])[1]) and id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found)) union (select id, record_json
        from "job_openings"
        where muster_key("status") = muster_key(($3::text[])[2]) and id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: find by a word alone (prepared as "find by 1 jobs")
with found as materialized (select id
  from (select "id"
    from "job_openings"
    where search_text like (select muster_like($1)) limit 200001) "job_openings"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "job_openings"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: find by code, dept_id, a word
with found as materialized (select id
  from (select "id"
    from "job_openings"
    where muster_key("code") = muster_key($1) and "dept_id" = $2::bigint and search_text like muster_like($3) limit 200001) "job_openings"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "job_openings"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: count very many by code, dept_id, a word
with blocks as materialized (select id >> 8 as block, count(*) as rows
  from "job_openings"
  where muster_key("code") = muster_key($1) and "dept_id" = $2::bigint and search_text like muster_like($3) group by 1) select books.version, (select string_agg(block::text, ','
    order by block)
  from blocks), (select string_agg(rows::text, ','
    order by block)
  from blocks)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: list by code, dept_id, a word while it changes all the time
select books.version, (select count(*)
  from "job_openings"
  where muster_key("code") = muster_key($1) and "dept_id" = $2::bigint and search_text like muster_like($3)), (select string_agg(record_json, ',')
  from (select record_json
    from "job_openings"
    where id = any (array(select id
        from "job_openings"
        where muster_key("code") = muster_key($4) and "dept_id" = $5::bigint and search_text like muster_like($6)
        order by id limit $7 offset $8))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: export as CSV
copy (select "job_openings"."id" as "id", case when ascii("job_openings"."code") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."code", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "code", case when ascii("job_openings"."title") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."title", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "title", "job_openings"."dept_id" as "dept_id", "job_openings"."hiring_manager_id" as "hiring_manager_id", "job_openings"."headcount" as "headcount", "job_openings"."filled" as "filled", "job_openings"."comp_min" as "comp_min", "job_openings"."comp_max" as "comp_max", case when ascii("job_openings"."currency") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."currency", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "currency", case when ascii("job_openings"."location") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."location", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "location", case when ascii("job_openings"."remote_policy") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."remote_policy", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "remote_policy", case when ascii("job_openings"."employment_type") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."employment_type", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "employment_type", case when ascii("job_openings"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", case when ascii("job_openings"."description") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."description", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "description", case when ascii("job_openings"."requirements") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."requirements", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "requirements", case when ascii("job_openings"."stages_json") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."stages_json", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "stages_json", "job_openings"."opened_on" as "opened_on", "job_openings"."target_date" as "target_date",
  rtrim(rtrim(to_char("job_openings"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
  from "job_openings"
  order by id) to stdout (format csv, header);

-- jobs: export as NDJSON
copy (select record_json
  from "job_openings"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- jobs: export by a word
copy (select "job_openings"."id" as "id", case when ascii("job_openings"."code") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."code", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "code", case when ascii("job_openings"."title") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."title", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "title", "job_openings"."dept_id" as "dept_id", "job_openings"."hiring_manager_id" as "hiring_manager_id", "job_openings"."headcount" as "headcount", "job_openings"."filled" as "filled", "job_openings"."comp_min" as "comp_min", "job_openings"."comp_max" as "comp_max", case when ascii("job_openings"."currency") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."currency", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "currency", case when ascii("job_openings"."location") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."location", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "location", case when ascii("job_openings"."remote_policy") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."remote_policy", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "remote_policy", case when ascii("job_openings"."employment_type") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."employment_type", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "employment_type", case when ascii("job_openings"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", case when ascii("job_openings"."description") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."description", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "description", case when ascii("job_openings"."requirements") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."requirements", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "requirements", case when ascii("job_openings"."stages_json") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_openings"."stages_json", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "stages_json", "job_openings"."opened_on" as "opened_on", "job_openings"."target_date" as "target_date",
  rtrim(rtrim(to_char("job_openings"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
  from "job_openings"
  where search_text like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- jobs: count an export by a word
select books.version, (select count(*)
  from "job_openings"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: count by status (prepared as "count by status jobs")
with recursive folded (scope) as (select (select scope
    from muster_blocks
    where resource = 'job_openings' and scope < 'status>' and scope >= 'status='
    order by scope limit 1) union all select (select scope
    from muster_blocks
    where resource = 'job_openings' and scope < 'status>' and scope > folded.scope
    order by scope limit 1)
  from folded
  where folded.scope is not null), groups as materialized (select *
  from (select substr(scope, 8) as value_1, muster_count('job_openings', array[scope]) as count
    from (select scope
      from folded
      where scope is not null union select scope
      from muster_journal
      where resource = 'job_openings' and scope < 'status>' and scope >= 'status=') scopes) counted
  where count > 0 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "status", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: count by code
with groups as materialized (select muster_key("code") collate "C" as value_1, count(*) as count
  from "job_openings"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "code", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: count by dept_id
with groups as materialized (select "dept_id" as value_1, count(*) as count
  from "job_openings"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "dept_id", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: count by month(opened_on)
with groups as materialized (select date_trunc('month', "opened_on"::timestamp) as value_1, count(*) as count
  from "job_openings"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select to_char(value_1, 'YYYY-MM') as "month(opened_on)", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: count by status and code where a word is found
with groups as materialized (select muster_key("status") collate "C" as value_1, muster_key("code") collate "C" as value_2, count(*) as count
  from "job_openings"
  where search_text like muster_like($1) group by 1, 2 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "status", value_2 as "code", count) answered) as text
    from groups
    order by value_1 nulls last, value_2 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: get (prepared as "get jobs")
select id, books.version, record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books
left join "job_openings" on id = any ($1);

-- jobs: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "job_openings"."id" as "id", "job_openings"."code" as "code") record) as record_json
    from "job_openings"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: get with related records
select id, books.version, left("job_openings".record_json, -1) || ',"department":' || coalesce((select related.record_json
    from "departments" related
    where related.id = "job_openings"."dept_id"), 'null') || ',"hiring_manager":' || coalesce((select related.record_json
    from "employees" related
    where related.id = "job_openings"."hiring_manager_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'job_openings'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'departments'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings', 'departments', 'employees']) else '' end as version, coalesce(sum(rows) filter (where resource = 'job_openings'), 0)::bigint as rows
  from muster_ledger
  where resource in ('job_openings', 'departments', 'employees')) books
left join "job_openings" on id = any ($1);

-- jobs: get with related records, redacted
select id, books.version, left("job_openings".record_json, -1) || ',"department":' || coalesce((select related.record_json
    from "departments" related
    where related.id = "job_openings"."dept_id"), 'null') || ',"hiring_manager":' || coalesce((select (select row_to_json(record)::text
      from (select related."id" as "id", related."code" as "code",
  null as "first_name",
  null as "last_name",
  null as "email", related."dept_id" as "dept_id", related."designation" as "designation", related."manager_id" as "manager_id", related."branch" as "branch", related."status" as "status",
  to_char(related."date_of_joining", 'YYYY-MM-DD') as "date_of_joining",
  null as "gender",
  null as "base_salary", related."candidate_id" as "candidate_id", related."employment_type" as "employment_type",
  null as "probation_end",
  null as "termination_date", related."alumni" as "alumni",
  null as "password_hash") record)
    from "employees" related
    where related.id = "job_openings"."hiring_manager_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'job_openings'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'departments'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_openings', 'departments', 'employees']) else '' end as version, coalesce(sum(rows) filter (where resource = 'job_openings'), 0)::bigint as rows
  from muster_ledger
  where resource in ('job_openings', 'departments', 'employees')) books
left join "job_openings" on id = any ($1);

-- candidates: list (prepared as "list candidates")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "candidates"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: list from afar (prepared as "leap candidates")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "candidates"
    where id >= (select id
      from "candidates"
      where id >= $2::bigint
      order by id limit 1 offset $3::bigint)
    order by id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'candidates' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'candidates' and scope = '' and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: list from afar, by the books themselves
with scopes as materialized (select array[''] as names), found as materialized (select found.*
  from scopes, muster_seek('candidates', names, $2::bigint) found) select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "candidates"
        where id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: list sorted by -created
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from "candidates"
        where true
        order by "candidates"."created" desc, "candidates"."id" desc limit $1 offset $2)) with ordinality wanted (wanted_id, place) join "candidates" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: find by a word, sorted by -created
with found as materialized (select id
  from (select "id", "created"
    from "candidates"
    where search_text like muster_like($1) limit 200001) "candidates"
  order by "candidates"."created" desc, "candidates"."id" desc) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from found limit $2::bigint offset $3::bigint)) with ordinality wanted (wanted_id, place) join "candidates" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: count very many by a word, sorted by -created
select books.version, (select count(*)
  from "candidates"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: list by status (prepared as "leap by status candidates")
select books.version, muster_count('candidates', array['status=' || muster_key($6::text)]), (select string_agg(record_json, ',')
  from (select record_json
    from "candidates"
    where muster_key("status") <= muster_key($6::text) and (muster_key("status"), id) >= (muster_key($6::text), (select id
        from "candidates"
        where muster_key("status") <= muster_key($6::text) and (muster_key("status"), id) >= (muster_key($6::text), $2::bigint)
        order by muster_key("status"), id limit 1 offset $3::bigint))
    order by muster_key("status"), id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'candidates' and scope = 'status=' || muster_key($6::text)), 0) = $4::bigint and not exists (select
  from muster_journal
  where resource = 'candidates' and scope = 'status=' || muster_key($6::text) and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: list by either status
with scopes as materialized (select array(select distinct 'status=' || muster_key(v)
    from unnest($3::text[]) v) as names), found as materialized (select found.*
  from scopes, muster_seek('candidates', names, $2::bigint) found) select books.version, (select muster_count('candidates', names)
  from scopes), (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "candidates"
        where muster_key("status") = muster_key(($3::text[])[1]) and id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found)) union (select id, record_json
        from "candidates"
        where muster_key("status") = muster_key(($3::text[])[2]) and id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: find by a word alone (prepared as "find by 1 candidates")
with found as materialized (select id
  from (select "id"
    from "candidates"
    where search_text like (select muster_like($1)) limit 200001) "candidates"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "candidates"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: find by email, referred_by, a word
with found as materialized (select id
  from (select "id"
    from "candidates"
    where muster_key("email") = muster_key($1) and "referred_by" = $2::bigint and search_text like muster_like($3) limit 200001) "candidates"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "candidates"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: count very many by email, referred_by, a word
with blocks as materialized (select id >> 8 as block, count(*) as rows
  from "candidates"
  where muster_key("email") = muster_key($1) and "referred_by" = $2::bigint and search_text like muster_like($3) group by 1) select books.version, (select string_agg(block::text, ','
    order by block)
  from blocks), (select string_agg(rows::text, ','
    order by block)
  from blocks)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: list by email, referred_by, a word while it changes all the time
select books.version, (select count(*)
  from "candidates"
  where muster_key("email") = muster_key($1) and "referred_by" = $2::bigint and search_text like muster_like($3)), (select string_agg(record_json, ',')
  from (select record_json
    from "candidates"
    where id = any (array(select id
        from "candidates"
        where muster_key("email") = muster_key($4) and "referred_by" = $5::bigint and search_text like muster_like($6)
        order by id limit $7 offset $8))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: export as CSV
copy (select "candidates"."id" as "id", case when ascii("candidates"."first_name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."first_name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "first_name", case when ascii("candidates"."last_name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."last_name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "last_name", case when ascii("candidates"."email") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."email", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "email", case when ascii("candidates"."phone") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."phone", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "phone", case when ascii("candidates"."location") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."location", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "location", case when ascii("candidates"."headline") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."headline", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "headline", case when ascii("candidates"."current_title") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."current_title", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "current_title", case when ascii("candidates"."current_employer") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."current_employer", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "current_employer", "candidates"."years_experience" as "years_experience", case when ascii("candidates"."linkedin_url") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."linkedin_url", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "linkedin_url", case when ascii("candidates"."source") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."source", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "source", "candidates"."referred_by" as "referred_by",
  rtrim(rtrim(to_char("candidates"."consent_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "consent_at", case when ascii("candidates"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", case when ascii("candidates"."notes") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."notes", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "notes",
  rtrim(rtrim(to_char("candidates"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
  from "candidates"
  order by id) to stdout (format csv, header);

-- candidates: export as NDJSON
copy (select record_json
  from "candidates"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- candidates: export by a word
copy (select "candidates"."id" as "id", case when ascii("candidates"."first_name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."first_name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "first_name", case when ascii("candidates"."last_name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."last_name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "last_name", case when ascii("candidates"."email") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."email", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "email", case when ascii("candidates"."phone") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."phone", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "phone", case when ascii("candidates"."location") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."location", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "location", case when ascii("candidates"."headline") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."headline", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "headline", case when ascii("candidates"."current_title") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."current_title", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "current_title", case when ascii("candidates"."current_employer") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."current_employer", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "current_employer", "candidates"."years_experience" as "years_experience", case when ascii("candidates"."linkedin_url") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."linkedin_url", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "linkedin_url", case when ascii("candidates"."source") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."source", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "source", "candidates"."referred_by" as "referred_by",
  rtrim(rtrim(to_char("candidates"."consent_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "consent_at", case when ascii("candidates"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", case when ascii("candidates"."notes") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."notes", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "notes",
  rtrim(rtrim(to_char("candidates"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
  from "candidates"
  where search_text like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- candidates: count an export by a word
select books.version, (select count(*)
  from "candidates"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: count by status (prepared as "count by status candidates")
with recursive folded (scope) as (select (select scope
    from muster_blocks
    where resource = 'candidates' and scope < 'status>' and scope >= 'status='
    order by scope limit 1) union all select (select scope
    from muster_blocks
    where resource = 'candidates' and scope < 'status>' and scope > folded.scope
    order by scope limit 1)
  from folded
  where folded.scope is not null), groups as materialized (select *
  from (select substr(scope, 8) as value_1, muster_count('candidates', array[scope]) as count
    from (select scope
      from folded
      where scope is not null union select scope
      from muster_journal
      where resource = 'candidates' and scope < 'status>' and scope >= 'status=') scopes) counted
  where count > 0 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "status", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: count by email
with groups as materialized (select muster_key("email") collate "C" as value_1, count(*) as count
  from "candidates"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "email", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: count by referred_by
with groups as materialized (select "referred_by" as value_1, count(*) as count
  from "candidates"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "referred_by", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: count by month(consent_at)
with groups as materialized (select date_trunc('month', "consent_at" at time zone 'UTC') as value_1, count(*) as count
  from "candidates"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select to_char(value_1, 'YYYY-MM') as "month(consent_at)", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: count by status and email where a word is found
with groups as materialized (select muster_key("status") collate "C" as value_1, muster_key("email") collate "C" as value_2, count(*) as count
  from "candidates"
  where search_text like muster_like($1) group by 1, 2 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "status", value_2 as "email", count) answered) as text
    from groups
    order by value_1 nulls last, value_2 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: get (prepared as "get candidates")
select id, books.version, record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books
left join "candidates" on id = any ($1);

-- candidates: list, redacted (prepared as "list candidates, redacted")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "candidates"."id" as "id",
  null as "first_name",
  null as "last_name",
  null as "email",
  null as "phone",
  null as "location", "candidates"."headline" as "headline", "candidates"."current_title" as "current_title",
  null as "current_employer", "candidates"."years_experience" as "years_experience",
  null as "linkedin_url", "candidates"."source" as "source", "candidates"."referred_by" as "referred_by",
  rtrim(rtrim(to_char("candidates"."consent_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "consent_at", "candidates"."status" as "status",
  null as "notes",
  rtrim(rtrim(to_char("candidates"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created") record) as record_json
    from "candidates"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: export as CSV, redacted
copy (select "candidates"."id" as "id",
  null as "first_name",
  null as "last_name",
  null as "email",
  null as "phone",
  null as "location", case when ascii("candidates"."headline") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."headline", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "headline", case when ascii("candidates"."current_title") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."current_title", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "current_title",
  null as "current_employer", "candidates"."years_experience" as "years_experience",
  null as "linkedin_url", case when ascii("candidates"."source") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."source", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "source", "candidates"."referred_by" as "referred_by",
  rtrim(rtrim(to_char("candidates"."consent_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "consent_at", case when ascii("candidates"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status",
  null as "notes",
  rtrim(rtrim(to_char("candidates"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
  from "candidates"
  order by id) to stdout (format csv, header);

-- candidates: export as NDJSON, redacted
copy (select (select row_to_json(record)::text
    from (select "candidates"."id" as "id",
  null as "first_name",
  null as "last_name",
  null as "email",
  null as "phone",
  null as "location", "candidates"."headline" as "headline", "candidates"."current_title" as "current_title",
  null as "current_employer", "candidates"."years_experience" as "years_experience",
  null as "linkedin_url", "candidates"."source" as "source", "candidates"."referred_by" as "referred_by",
  rtrim(rtrim(to_char("candidates"."consent_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "consent_at", "candidates"."status" as "status",
  null as "notes",
  rtrim(rtrim(to_char("candidates"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created") record) as record_json
  from "candidates"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- candidates: export by a word, redacted
copy (select "candidates"."id" as "id",
  null as "first_name",
  null as "last_name",
  null as "email",
  null as "phone",
  null as "location", case when ascii("candidates"."headline") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."headline", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "headline", case when ascii("candidates"."current_title") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."current_title", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "current_title",
  null as "current_employer", "candidates"."years_experience" as "years_experience",
  null as "linkedin_url", case when ascii("candidates"."source") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."source", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "source", "candidates"."referred_by" as "referred_by",
  rtrim(rtrim(to_char("candidates"."consent_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "consent_at", case when ascii("candidates"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("candidates"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status",
  null as "notes",
  rtrim(rtrim(to_char("candidates"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
  from "candidates"
  where search_text_public like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- candidates: count an export by a word, redacted
select books.version, (select count(*)
  from "candidates"
  where search_text_public like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: find by a word, redacted
with found as materialized (select id
  from (select "id"
    from "candidates"
    where search_text_public like muster_like($1) limit 200001) "candidates"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "candidates"."id" as "id",
  null as "first_name",
  null as "last_name",
  null as "email",
  null as "phone",
  null as "location", "candidates"."headline" as "headline", "candidates"."current_title" as "current_title",
  null as "current_employer", "candidates"."years_experience" as "years_experience",
  null as "linkedin_url", "candidates"."source" as "source", "candidates"."referred_by" as "referred_by",
  rtrim(rtrim(to_char("candidates"."consent_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "consent_at", "candidates"."status" as "status",
  null as "notes",
  rtrim(rtrim(to_char("candidates"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created") record) as record_json
    from "candidates"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "candidates"."id" as "id", "candidates"."first_name" as "first_name") record) as record_json
    from "candidates"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: get with related records
select id, books.version, left("candidates".record_json, -1) || ',"referrer":' || coalesce((select related.record_json
    from "employees" related
    where related.id = "candidates"."referred_by"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'candidates'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates', 'employees']) else '' end as version, coalesce(sum(rows) filter (where resource = 'candidates'), 0)::bigint as rows
  from muster_ledger
  where resource in ('candidates', 'employees')) books
left join "candidates" on id = any ($1);

-- candidates: get with related records, redacted
select id, books.version, left((select row_to_json(record)::text
    from (select "candidates"."id" as "id",
  null as "first_name",
  null as "last_name",
  null as "email",
  null as "phone",
  null as "location", "candidates"."headline" as "headline", "candidates"."current_title" as "current_title",
  null as "current_employer", "candidates"."years_experience" as "years_experience",
  null as "linkedin_url", "candidates"."source" as "source", "candidates"."referred_by" as "referred_by",
  rtrim(rtrim(to_char("candidates"."consent_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "consent_at", "candidates"."status" as "status",
  null as "notes",
  rtrim(rtrim(to_char("candidates"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created") record), -1) || ',"referrer":' || coalesce((select (select row_to_json(record)::text
      from (select related."id" as "id", related."code" as "code",
  null as "first_name",
  null as "last_name",
  null as "email", related."dept_id" as "dept_id", related."designation" as "designation", related."manager_id" as "manager_id", related."branch" as "branch", related."status" as "status",
  to_char(related."date_of_joining", 'YYYY-MM-DD') as "date_of_joining",
  null as "gender",
  null as "base_salary", related."candidate_id" as "candidate_id", related."employment_type" as "employment_type",
  null as "probation_end",
  null as "termination_date", related."alumni" as "alumni",
  null as "password_hash") record)
    from "employees" related
    where related.id = "candidates"."referred_by"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'candidates'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['candidates', 'employees']) else '' end as version, coalesce(sum(rows) filter (where resource = 'candidates'), 0)::bigint as rows
  from muster_ledger
  where resource in ('candidates', 'employees')) books
left join "candidates" on id = any ($1);

-- applications: list (prepared as "list applications")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "applications"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: list from afar (prepared as "leap applications")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "applications"
    where id >= (select id
      from "applications"
      where id >= $2::bigint
      order by id limit 1 offset $3::bigint)
    order by id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'applications' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'applications' and scope = '' and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: list from afar, by the books themselves
with scopes as materialized (select array[''] as names), found as materialized (select found.*
  from scopes, muster_seek('applications', names, $2::bigint) found) select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "applications"
        where id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: list sorted by -created
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from "applications"
        where true
        order by "applications"."created" desc, "applications"."id" desc limit $1 offset $2)) with ordinality wanted (wanted_id, place) join "applications" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: find by a word, sorted by -created
with found as materialized (select id
  from (select "id", "created"
    from "applications"
    where search_text like muster_like($1) limit 200001) "applications"
  order by "applications"."created" desc, "applications"."id" desc) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from found limit $2::bigint offset $3::bigint)) with ordinality wanted (wanted_id, place) join "applications" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: count very many by a word, sorted by -created
select books.version, (select count(*)
  from "applications"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: list by stage (prepared as "leap by stage applications")
select books.version, muster_count('applications', array['stage=' || muster_key($6::text)]), (select string_agg(record_json, ',')
  from (select record_json
    from "applications"
    where muster_key("stage") <= muster_key($6::text) and (muster_key("stage"), id) >= (muster_key($6::text), (select id
        from "applications"
        where muster_key("stage") <= muster_key($6::text) and (muster_key("stage"), id) >= (muster_key($6::text), $2::bigint)
        order by muster_key("stage"), id limit 1 offset $3::bigint))
    order by muster_key("stage"), id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'applications' and scope = 'stage=' || muster_key($6::text)), 0) = $4::bigint and not exists (select
  from muster_journal
  where resource = 'applications' and scope = 'stage=' || muster_key($6::text) and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: list by either stage
with scopes as materialized (select array(select distinct 'stage=' || muster_key(v)
    from unnest($3::text[]) v) as names), found as materialized (select found.*
  from scopes, muster_seek('applications', names, $2::bigint) found) select books.version, (select muster_count('applications', names)
  from scopes), (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "applications"
        where muster_key("stage") = muster_key(($3::text[])[1]) and id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found)) union (select id, record_json
        from "applications"
        where muster_key("stage") = muster_key(($3::text[])[2]) and id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: find by a word alone (prepared as "find by 1 applications")
with found as materialized (select id
  from (select "id"
    from "applications"
    where search_text like (select muster_like($1)) limit 200001) "applications"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "applications"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: find by stage, candidate_id, a word
with found as materialized (select id
  from (select "id"
    from "applications"
    where muster_key("stage") = muster_key($1) and "candidate_id" = $2::bigint and search_text like muster_like($3) limit 200001) "applications"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "applications"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: count very many by stage, candidate_id, a word
with blocks as materialized (select id >> 8 as block, count(*) as rows
  from "applications"
  where muster_key("stage") = muster_key($1) and "candidate_id" = $2::bigint and search_text like muster_like($3) group by 1) select books.version, (select string_agg(block::text, ','
    order by block)
  from blocks), (select string_agg(rows::text, ','
    order by block)
  from blocks)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: list by stage, candidate_id, a word while it changes all the time
select books.version, (select count(*)
  from "applications"
  where muster_key("stage") = muster_key($1) and "candidate_id" = $2::bigint and search_text like muster_like($3)), (select string_agg(record_json, ',')
  from (select record_json
    from "applications"
    where id = any (array(select id
        from "applications"
        where muster_key("stage") = muster_key($4) and "candidate_id" = $5::bigint and search_text like muster_like($6)
        order by id limit $7 offset $8))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: export as CSV
copy (select "applications"."id" as "id", "applications"."candidate_id" as "candidate_id", "applications"."job_id" as "job_id", case when ascii("applications"."stage") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("applications"."stage", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "stage", case when ascii("applications"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("applications"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", "applications"."applied_on" as "applied_on", "applications"."stage_entered_on" as "stage_entered_on", "applications"."rating" as "rating", case when ascii("applications"."rejection_reason") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("applications"."rejection_reason", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "rejection_reason",
  rtrim(rtrim(to_char("applications"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
  from "applications"
  order by id) to stdout (format csv, header);

-- applications: export as NDJSON
copy (select record_json
  from "applications"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- applications: export by a word
copy (select "applications"."id" as "id", "applications"."candidate_id" as "candidate_id", "applications"."job_id" as "job_id", case when ascii("applications"."stage") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("applications"."stage", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "stage", case when ascii("applications"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("applications"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", "applications"."applied_on" as "applied_on", "applications"."stage_entered_on" as "stage_entered_on", "applications"."rating" as "rating", case when ascii("applications"."rejection_reason") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("applications"."rejection_reason", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "rejection_reason",
  rtrim(rtrim(to_char("applications"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
  from "applications"
  where search_text like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- applications: count an export by a word
select books.version, (select count(*)
  from "applications"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: count by stage (prepared as "count by stage applications")
with recursive folded (scope) as (select (select scope
    from muster_blocks
    where resource = 'applications' and scope < 'stage>' and scope >= 'stage='
    order by scope limit 1) union all select (select scope
    from muster_blocks
    where resource = 'applications' and scope < 'stage>' and scope > folded.scope
    order by scope limit 1)
  from folded
  where folded.scope is not null), groups as materialized (select *
  from (select substr(scope, 7) as value_1, muster_count('applications', array[scope]) as count
    from (select scope
      from folded
      where scope is not null union select scope
      from muster_journal
      where resource = 'applications' and scope < 'stage>' and scope >= 'stage=') scopes) counted
  where count > 0 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "stage", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: count by candidate_id
with groups as materialized (select "candidate_id" as value_1, count(*) as count
  from "applications"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "candidate_id", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: count by month(applied_on)
with groups as materialized (select date_trunc('month', "applied_on"::timestamp) as value_1, count(*) as count
  from "applications"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select to_char(value_1, 'YYYY-MM') as "month(applied_on)", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: count by stage and candidate_id where a word is found
with groups as materialized (select muster_key("stage") collate "C" as value_1, "candidate_id" as value_2, count(*) as count
  from "applications"
  where search_text like muster_like($1) group by 1, 2 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "stage", value_2 as "candidate_id", count) answered) as text
    from groups
    order by value_1 nulls last, value_2 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: get (prepared as "get applications")
select id, books.version, record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books
left join "applications" on id = any ($1);

-- applications: list, redacted (prepared as "list applications, redacted")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "applications"."id" as "id", "applications"."candidate_id" as "candidate_id", "applications"."job_id" as "job_id", "applications"."stage" as "stage", "applications"."status" as "status",
  to_char("applications"."applied_on", 'YYYY-MM-DD') as "applied_on",
  to_char("applications"."stage_entered_on", 'YYYY-MM-DD') as "stage_entered_on",
  null as "rating",
  null as "rejection_reason",
  rtrim(rtrim(to_char("applications"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created") record) as record_json
    from "applications"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: export as CSV, redacted
copy (select "applications"."id" as "id", "applications"."candidate_id" as "candidate_id", "applications"."job_id" as "job_id", case when ascii("applications"."stage") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("applications"."stage", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "stage", case when ascii("applications"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("applications"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", "applications"."applied_on" as "applied_on", "applications"."stage_entered_on" as "stage_entered_on",
  null as "rating",
  null as "rejection_reason",
  rtrim(rtrim(to_char("applications"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
  from "applications"
  order by id) to stdout (format csv, header);

-- applications: export as NDJSON, redacted
copy (select (select row_to_json(record)::text
    from (select "applications"."id" as "id", "applications"."candidate_id" as "candidate_id", "applications"."job_id" as "job_id", "applications"."stage" as "stage", "applications"."status" as "status",
  to_char("applications"."applied_on", 'YYYY-MM-DD') as "applied_on",
  to_char("applications"."stage_entered_on", 'YYYY-MM-DD') as "stage_entered_on",
  null as "rating",
  null as "rejection_reason",
  rtrim(rtrim(to_char("applications"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created") record) as record_json
  from "applications"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- applications: export by a word, redacted
copy (select "applications"."id" as "id", "applications"."candidate_id" as "candidate_id", "applications"."job_id" as "job_id", case when ascii("applications"."stage") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("applications"."stage", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "stage", case when ascii("applications"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("applications"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status", "applications"."applied_on" as "applied_on", "applications"."stage_entered_on" as "stage_entered_on",
  null as "rating",
  null as "rejection_reason",
  rtrim(rtrim(to_char("applications"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
  from "applications"
  where search_text_public like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- applications: count an export by a word, redacted
select books.version, (select count(*)
  from "applications"
  where search_text_public like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: find by a word, redacted
with found as materialized (select id
  from (select "id"
    from "applications"
    where search_text_public like muster_like($1) limit 200001) "applications"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "applications"."id" as "id", "applications"."candidate_id" as "candidate_id", "applications"."job_id" as "job_id", "applications"."stage" as "stage", "applications"."status" as "status",
  to_char("applications"."applied_on", 'YYYY-MM-DD') as "applied_on",
  to_char("applications"."stage_entered_on", 'YYYY-MM-DD') as "stage_entered_on",
  null as "rating",
  null as "rejection_reason",
  rtrim(rtrim(to_char("applications"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created") record) as record_json
    from "applications"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "applications"."id" as "id", "applications"."candidate_id" as "candidate_id") record) as record_json
    from "applications"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: get with related records
select id, books.version, left("applications".record_json, -1) || ',"candidate":' || coalesce((select related.record_json
    from "candidates" related
    where related.id = "applications"."candidate_id"), 'null') || ',"job":' || coalesce((select related.record_json
    from "job_openings" related
    where related.id = "applications"."job_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'applications'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'candidates'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'job_openings'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications', 'candidates', 'job_openings']) else '' end as version, coalesce(sum(rows) filter (where resource = 'applications'), 0)::bigint as rows
  from muster_ledger
  where resource in ('applications', 'candidates', 'job_openings')) books
left join "applications" on id = any ($1);

-- applications: get with related records, redacted
select id, books.version, left((select row_to_json(record)::text
    from (select "applications"."id" as "id", "applications"."candidate_id" as "candidate_id", "applications"."job_id" as "job_id", "applications"."stage" as "stage", "applications"."status" as "status",
  to_char("applications"."applied_on", 'YYYY-MM-DD') as "applied_on",
  to_char("applications"."stage_entered_on", 'YYYY-MM-DD') as "stage_entered_on",
  null as "rating",
  null as "rejection_reason",
  rtrim(rtrim(to_char("applications"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created") record), -1) || ',"candidate":' || coalesce((select (select row_to_json(record)::text
      from (select related."id" as "id",
  null as "first_name",
  null as "last_name",
  null as "email",
  null as "phone",
  null as "location", related."headline" as "headline", related."current_title" as "current_title",
  null as "current_employer", related."years_experience" as "years_experience",
  null as "linkedin_url", related."source" as "source", related."referred_by" as "referred_by",
  rtrim(rtrim(to_char(related."consent_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "consent_at", related."status" as "status",
  null as "notes",
  rtrim(rtrim(to_char(related."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created") record)
    from "candidates" related
    where related.id = "applications"."candidate_id"), 'null') || ',"job":' || coalesce((select related.record_json
    from "job_openings" related
    where related.id = "applications"."job_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'applications'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'candidates'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'job_openings'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['applications', 'candidates', 'job_openings']) else '' end as version, coalesce(sum(rows) filter (where resource = 'applications'), 0)::bigint as rows
  from muster_ledger
  where resource in ('applications', 'candidates', 'job_openings')) books
left join "applications" on id = any ($1);

-- applications: create (prepared as "create applications")
with made as (insert into "applications" ("candidate_id", "job_id", "stage", "status", "applied_on", "stage_entered_on", "rating", "rejection_reason") select $1::bigint, $2::bigint, $3::text, $4::text, case when $6::boolean then (now() at time zone 'utc')::date else $5::date end, case when $8::boolean then (now() at time zone 'utc')::date else $7::date end, $9::double precision, $10::text
  from (select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true), set_config('client_min_messages', 'warning', true)) durably
  returning id, record_json), noted as (insert into muster_writes (request_id, token, route, record_id, outcome) select $11, $12, 'POST /v1/applications', id, 'created'
  from made) select id, record_json
from made;

-- applications: create with a key (prepared as "create applications once")
with claim as (insert into muster_idempotency_keys (resource, key, fingerprint, record_id) select 'applications', $13::text, $14::bytea, nextval(pg_get_serial_sequence('applications', 'id'))
  from (select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true), set_config('client_min_messages', 'warning', true)) durably on conflict do nothing
  returning record_id), made as (insert into "applications" (id, "candidate_id", "job_id", "stage", "status", "applied_on", "stage_entered_on", "rating", "rejection_reason") select record_id, $1::bigint, $2::bigint, $3::text, $4::text, case when $6::boolean then (now() at time zone 'utc')::date else $5::date end, case when $8::boolean then (now() at time zone 'utc')::date else $7::date end, $9::double precision, $10::text
  from claim
  returning id, record_json), noted as (insert into muster_writes (request_id, token, route, record_id, outcome) select $11, $12, 'POST /v1/applications', id, 'created'
  from made) select id, record_json
from made;

-- applications: what a taken key stands for (prepared as "claimed applications")
select fingerprint = $2, id, record_json
from muster_idempotency_keys
left join "applications" on id = record_id
where resource = 'applications' and key = $1;

-- applications: what stands against a create
select not exists (select from "candidates" where id = $1::bigint),
  not exists (select from "job_openings" where id = $2::bigint);

-- organizations: list (prepared as "list organizations")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "organizations"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: list from afar (prepared as "leap organizations")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "organizations"
    where id >= (select id
      from "organizations"
      where id >= $2::bigint
      order by id limit 1 offset $3::bigint)
    order by id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'organizations' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'organizations' and scope = '' and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: list from afar, by the books themselves
with scopes as materialized (select array[''] as names), found as materialized (select found.*
  from scopes, muster_seek('organizations', names, $2::bigint) found) select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "organizations"
        where id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: list sorted by -created
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from "organizations"
        where true
        order by "organizations"."created" desc, "organizations"."id" desc limit $1 offset $2)) with ordinality wanted (wanted_id, place) join "organizations" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: find by a word, sorted by -created
with found as materialized (select id
  from (select "id", "created"
    from "organizations"
    where search_text like muster_like($1) limit 200001) "organizations"
  order by "organizations"."created" desc, "organizations"."id" desc) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from found limit $2::bigint offset $3::bigint)) with ordinality wanted (wanted_id, place) join "organizations" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: count very many by a word, sorted by -created
select books.version, (select count(*)
  from "organizations"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: find by a word alone (prepared as "find by 1 organizations")
with found as materialized (select id
  from (select "id"
    from "organizations"
    where search_text like (select muster_like($1)) limit 200001) "organizations"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "organizations"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: find by slug, a word
with found as materialized (select id
  from (select "id"
    from "organizations"
    where muster_key("slug") = muster_key($1) and search_text like muster_like($2) limit 200001) "organizations"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "organizations"
    where id = any (array(select id
        from found limit $3::bigint offset $4::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: count very many by slug, a word
with blocks as materialized (select id >> 8 as block, count(*) as rows
  from "organizations"
  where muster_key("slug") = muster_key($1) and search_text like muster_like($2) group by 1) select books.version, (select string_agg(block::text, ','
    order by block)
  from blocks), (select string_agg(rows::text, ','
    order by block)
  from blocks)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: list by slug, a word while it changes all the time
select books.version, (select count(*)
  from "organizations"
  where muster_key("slug") = muster_key($1) and search_text like muster_like($2)), (select string_agg(record_json, ',')
  from (select record_json
    from "organizations"
    where id = any (array(select id
        from "organizations"
        where muster_key("slug") = muster_key($3) and search_text like muster_like($4)
        order by id limit $5 offset $6))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: export as CSV
copy (select "organizations"."id" as "id", case when ascii("organizations"."name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organizations"."name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "name", case when ascii("organizations"."slug") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organizations"."slug", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "slug", case when ascii("organizations"."default_locale") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organizations"."default_locale", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "default_locale", case when ascii("organizations"."timezone") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organizations"."timezone", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "timezone", case when ascii("organizations"."settings_json") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organizations"."settings_json", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "settings_json",
  rtrim(rtrim(to_char("organizations"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
  from "organizations"
  order by id) to stdout (format csv, header);

-- organizations: export as NDJSON
copy (select record_json
  from "organizations"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- organizations: export by a word
copy (select "organizations"."id" as "id", case when ascii("organizations"."name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organizations"."name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "name", case when ascii("organizations"."slug") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organizations"."slug", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "slug", case when ascii("organizations"."default_locale") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organizations"."default_locale", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "default_locale", case when ascii("organizations"."timezone") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organizations"."timezone", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "timezone", case when ascii("organizations"."settings_json") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organizations"."settings_json", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "settings_json",
  rtrim(rtrim(to_char("organizations"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
  from "organizations"
  where search_text like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- organizations: count an export by a word
select books.version, (select count(*)
  from "organizations"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: count by slug
with groups as materialized (select muster_key("slug") collate "C" as value_1, count(*) as count
  from "organizations"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "slug", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: count by month(created)
with groups as materialized (select date_trunc('month', "created" at time zone 'UTC') as value_1, count(*) as count
  from "organizations"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select to_char(value_1, 'YYYY-MM') as "month(created)", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: count by slug and month(created) where a word is found
with groups as materialized (select muster_key("slug") collate "C" as value_1, date_trunc('month', "created" at time zone 'UTC') as value_2, count(*) as count
  from "organizations"
  where search_text like muster_like($1) group by 1, 2 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "slug",
  to_char(value_2, 'YYYY-MM') as "month(created)", count) answered) as text
    from groups
    order by value_1 nulls last, value_2 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: get (prepared as "get organizations")
select id, books.version, record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books
left join "organizations" on id = any ($1);

-- organizations: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "organizations"."id" as "id", "organizations"."name" as "name") record) as record_json
    from "organizations"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organizations']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: create (prepared as "create organizations")
with made as (insert into "organizations" ("name", "slug", "default_locale", "timezone", "settings_json") select $1::text, $2::text, $3::text, $4::text, $5::text
  from (select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true), set_config('client_min_messages', 'warning', true)) durably
  returning id, record_json), noted as (insert into muster_writes (request_id, token, route, record_id, outcome) select $6, $7, 'POST /v1/organizations', id, 'created'
  from made) select id, record_json
from made;

-- organizations: create with a key (prepared as "create organizations once")
with claim as (insert into muster_idempotency_keys (resource, key, fingerprint, record_id) select 'organizations', $8::text, $9::bytea, nextval(pg_get_serial_sequence('organizations', 'id'))
  from (select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true), set_config('client_min_messages', 'warning', true)) durably on conflict do nothing
  returning record_id), made as (insert into "organizations" (id, "name", "slug", "default_locale", "timezone", "settings_json") select record_id, $1::text, $2::text, $3::text, $4::text, $5::text
  from claim
  returning id, record_json), noted as (insert into muster_writes (request_id, token, route, record_id, outcome) select $6, $7, 'POST /v1/organizations', id, 'created'
  from made) select id, record_json
from made;

-- organizations: what a taken key stands for (prepared as "claimed organizations")
select fingerprint = $2, id, record_json
from muster_idempotency_keys
left join "organizations" on id = record_id
where resource = 'organizations' and key = $1;

-- organizations: what stands against a create
select exists (select from "organizations" where "slug" = $1);

-- brands: list (prepared as "list brands")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "recruitment_brands"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: list from afar (prepared as "leap brands")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "recruitment_brands"
    where id >= (select id
      from "recruitment_brands"
      where id >= $2::bigint
      order by id limit 1 offset $3::bigint)
    order by id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'recruitment_brands' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'recruitment_brands' and scope = '' and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: list from afar, by the books themselves
with scopes as materialized (select array[''] as names), found as materialized (select found.*
  from scopes, muster_seek('recruitment_brands', names, $2::bigint) found) select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "recruitment_brands"
        where id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: list sorted by -updated
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from "recruitment_brands"
        where true
        order by "recruitment_brands"."updated" desc, "recruitment_brands"."id" desc limit $1 offset $2)) with ordinality wanted (wanted_id, place) join "recruitment_brands" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: find by a word, sorted by -updated
with found as materialized (select id
  from (select "id", "updated"
    from "recruitment_brands"
    where search_text like muster_like($1) limit 200001) "recruitment_brands"
  order by "recruitment_brands"."updated" desc, "recruitment_brands"."id" desc) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from found limit $2::bigint offset $3::bigint)) with ordinality wanted (wanted_id, place) join "recruitment_brands" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: count very many by a word, sorted by -updated
select books.version, (select count(*)
  from "recruitment_brands"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: find by a word alone (prepared as "find by 1 brands")
with found as materialized (select id
  from (select "id"
    from "recruitment_brands"
    where search_text like (select muster_like($1)) limit 200001) "recruitment_brands"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "recruitment_brands"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: find by slug, organization_id, a word
with found as materialized (select id
  from (select "id"
    from "recruitment_brands"
    where muster_key("slug") = muster_key($1) and "organization_id" = $2::bigint and search_text like muster_like($3) limit 200001) "recruitment_brands"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "recruitment_brands"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: count very many by slug, organization_id, a word
with blocks as materialized (select id >> 8 as block, count(*) as rows
  from "recruitment_brands"
  where muster_key("slug") = muster_key($1) and "organization_id" = $2::bigint and search_text like muster_like($3) group by 1) select books.version, (select string_agg(block::text, ','
    order by block)
  from blocks), (select string_agg(rows::text, ','
    order by block)
  from blocks)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: list by slug, organization_id, a word while it changes all the time
select books.version, (select count(*)
  from "recruitment_brands"
  where muster_key("slug") = muster_key($1) and "organization_id" = $2::bigint and search_text like muster_like($3)), (select string_agg(record_json, ',')
  from (select record_json
    from "recruitment_brands"
    where id = any (array(select id
        from "recruitment_brands"
        where muster_key("slug") = muster_key($4) and "organization_id" = $5::bigint and search_text like muster_like($6)
        order by id limit $7 offset $8))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: export as CSV
copy (select "recruitment_brands"."id" as "id", "recruitment_brands"."organization_id" as "organization_id", case when ascii("recruitment_brands"."name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "name", case when ascii("recruitment_brands"."slug") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."slug", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "slug", case when ascii("recruitment_brands"."logo_url") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."logo_url", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "logo_url", case when ascii("recruitment_brands"."favicon_url") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."favicon_url", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "favicon_url", case when ascii("recruitment_brands"."primary_color") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."primary_color", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "primary_color", case when ascii("recruitment_brands"."accent_color") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."accent_color", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "accent_color", case when ascii("recruitment_brands"."custom_domain") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."custom_domain", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "custom_domain", case when ascii("recruitment_brands"."settings_json") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."settings_json", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "settings_json",
  rtrim(rtrim(to_char("recruitment_brands"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created",
  rtrim(rtrim(to_char("recruitment_brands"."updated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "updated"
  from "recruitment_brands"
  order by id) to stdout (format csv, header);

-- brands: export as NDJSON
copy (select record_json
  from "recruitment_brands"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- brands: export by a word
copy (select "recruitment_brands"."id" as "id", "recruitment_brands"."organization_id" as "organization_id", case when ascii("recruitment_brands"."name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "name", case when ascii("recruitment_brands"."slug") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."slug", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "slug", case when ascii("recruitment_brands"."logo_url") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."logo_url", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "logo_url", case when ascii("recruitment_brands"."favicon_url") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."favicon_url", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "favicon_url", case when ascii("recruitment_brands"."primary_color") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."primary_color", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "primary_color", case when ascii("recruitment_brands"."accent_color") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."accent_color", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "accent_color", case when ascii("recruitment_brands"."custom_domain") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."custom_domain", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "custom_domain", case when ascii("recruitment_brands"."settings_json") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("recruitment_brands"."settings_json", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "settings_json",
  rtrim(rtrim(to_char("recruitment_brands"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created",
  rtrim(rtrim(to_char("recruitment_brands"."updated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "updated"
  from "recruitment_brands"
  where search_text like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- brands: count an export by a word
select books.version, (select count(*)
  from "recruitment_brands"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: count by slug
with groups as materialized (select muster_key("slug") collate "C" as value_1, count(*) as count
  from "recruitment_brands"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "slug", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: count by organization_id
with groups as materialized (select "organization_id" as value_1, count(*) as count
  from "recruitment_brands"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "organization_id", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: count by month(created)
with groups as materialized (select date_trunc('month', "created" at time zone 'UTC') as value_1, count(*) as count
  from "recruitment_brands"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select to_char(value_1, 'YYYY-MM') as "month(created)", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: count by slug and organization_id where a word is found
with groups as materialized (select muster_key("slug") collate "C" as value_1, "organization_id" as value_2, count(*) as count
  from "recruitment_brands"
  where search_text like muster_like($1) group by 1, 2 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "slug", value_2 as "organization_id", count) answered) as text
    from groups
    order by value_1 nulls last, value_2 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: get (prepared as "get brands")
select id, books.version, record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books
left join "recruitment_brands" on id = any ($1);

-- brands: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "recruitment_brands"."id" as "id", "recruitment_brands"."organization_id" as "organization_id") record) as record_json
    from "recruitment_brands"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: get with related records
select id, books.version, left("recruitment_brands".record_json, -1) || ',"organization":' || coalesce((select related.record_json
    from "organizations" related
    where related.id = "recruitment_brands"."organization_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'recruitment_brands'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'organizations'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands', 'organizations']) else '' end as version, coalesce(sum(rows) filter (where resource = 'recruitment_brands'), 0)::bigint as rows
  from muster_ledger
  where resource in ('recruitment_brands', 'organizations')) books
left join "recruitment_brands" on id = any ($1);

-- brands: get with related records, redacted
select id, books.version, left("recruitment_brands".record_json, -1) || ',"organization":' || coalesce((select related.record_json
    from "organizations" related
    where related.id = "recruitment_brands"."organization_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'recruitment_brands'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'organizations'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['recruitment_brands', 'organizations']) else '' end as version, coalesce(sum(rows) filter (where resource = 'recruitment_brands'), 0)::bigint as rows
  from muster_ledger
  where resource in ('recruitment_brands', 'organizations')) books
left join "recruitment_brands" on id = any ($1);

-- brands: create (prepared as "create brands")
with made as (insert into "recruitment_brands" ("organization_id", "name", "slug", "logo_url", "favicon_url", "primary_color", "accent_color", "custom_domain", "settings_json") select $1::bigint, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text
  from (select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true), set_config('client_min_messages', 'warning', true)) durably
  returning id, record_json), noted as (insert into muster_writes (request_id, token, route, record_id, outcome) select $10, $11, 'POST /v1/brands', id, 'created'
  from made) select id, record_json
from made;

-- brands: create with a key (prepared as "create brands once")
with claim as (insert into muster_idempotency_keys (resource, key, fingerprint, record_id) select 'brands', $12::text, $13::bytea, nextval(pg_get_serial_sequence('recruitment_brands', 'id'))
  from (select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true), set_config('client_min_messages', 'warning', true)) durably on conflict do nothing
  returning record_id), made as (insert into "recruitment_brands" (id, "organization_id", "name", "slug", "logo_url", "favicon_url", "primary_color", "accent_color", "custom_domain", "settings_json") select record_id, $1::bigint, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text
  from claim
  returning id, record_json), noted as (insert into muster_writes (request_id, token, route, record_id, outcome) select $10, $11, 'POST /v1/brands', id, 'created'
  from made) select id, record_json
from made;

-- brands: what a taken key stands for (prepared as "claimed brands")
select fingerprint = $2, id, record_json
from muster_idempotency_keys
left join "recruitment_brands" on id = record_id
where resource = 'brands' and key = $1;

-- brands: what stands against a create
select not exists (select from "organizations" where id = $1::bigint),
  exists (select from "recruitment_brands" where "organization_id" = $2 and "slug" = $3);

-- career-sites: list (prepared as "list career-sites")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "career_sites"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: list from afar (prepared as "leap career-sites")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "career_sites"
    where id >= (select id
      from "career_sites"
      where id >= $2::bigint
      order by id limit 1 offset $3::bigint)
    order by id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'career_sites' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'career_sites' and scope = '' and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: list from afar, by the books themselves
with scopes as materialized (select array[''] as names), found as materialized (select found.*
  from scopes, muster_seek('career_sites', names, $2::bigint) found) select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "career_sites"
        where id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: list sorted by -updated
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from "career_sites"
        where true
        order by "career_sites"."updated" desc, "career_sites"."id" desc limit $1 offset $2)) with ordinality wanted (wanted_id, place) join "career_sites" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: find by a word, sorted by -updated
with found as materialized (select id
  from (select "id", "updated"
    from "career_sites"
    where search_text like muster_like($1) limit 200001) "career_sites"
  order by "career_sites"."updated" desc, "career_sites"."id" desc) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from found limit $2::bigint offset $3::bigint)) with ordinality wanted (wanted_id, place) join "career_sites" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: count very many by a word, sorted by -updated
select books.version, (select count(*)
  from "career_sites"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: find by a word alone (prepared as "find by 1 career-sites")
with found as materialized (select id
  from (select "id"
    from "career_sites"
    where search_text like (select muster_like($1)) limit 200001) "career_sites"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "career_sites"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: find by slug, is_active, a word
with found as materialized (select id
  from (select "id"
    from "career_sites"
    where muster_key("slug") = muster_key($1) and "is_active" = $2::bigint and search_text like muster_like($3) limit 200001) "career_sites"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "career_sites"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: count very many by slug, is_active, a word
with blocks as materialized (select id >> 8 as block, count(*) as rows
  from "career_sites"
  where muster_key("slug") = muster_key($1) and "is_active" = $2::bigint and search_text like muster_like($3) group by 1) select books.version, (select string_agg(block::text, ','
    order by block)
  from blocks), (select string_agg(rows::text, ','
    order by block)
  from blocks)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: list by slug, is_active, a word while it changes all the time
select books.version, (select count(*)
  from "career_sites"
  where muster_key("slug") = muster_key($1) and "is_active" = $2::bigint and search_text like muster_like($3)), (select string_agg(record_json, ',')
  from (select record_json
    from "career_sites"
    where id = any (array(select id
        from "career_sites"
        where muster_key("slug") = muster_key($4) and "is_active" = $5::bigint and search_text like muster_like($6)
        order by id limit $7 offset $8))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: export as CSV
copy (select "career_sites"."id" as "id", case when ascii("career_sites"."name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "name", case when ascii("career_sites"."slug") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."slug", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "slug", case when ascii("career_sites"."headline") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."headline", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "headline", case when ascii("career_sites"."introduction") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."introduction", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "introduction", case when ascii("career_sites"."brand_color") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."brand_color", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "brand_color", case when ascii("career_sites"."accent_color") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."accent_color", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "accent_color", case when ascii("career_sites"."logo_url") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."logo_url", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "logo_url", case when ascii("career_sites"."privacy_policy_url") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."privacy_policy_url", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "privacy_policy_url", case when ascii("career_sites"."custom_domain") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."custom_domain", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "custom_domain", "career_sites"."is_active" as "is_active",
  rtrim(rtrim(to_char("career_sites"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created",
  rtrim(rtrim(to_char("career_sites"."updated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "updated"
  from "career_sites"
  order by id) to stdout (format csv, header);

-- career-sites: export as NDJSON
copy (select record_json
  from "career_sites"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- career-sites: export by a word
copy (select "career_sites"."id" as "id", case when ascii("career_sites"."name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "name", case when ascii("career_sites"."slug") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."slug", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "slug", case when ascii("career_sites"."headline") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."headline", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "headline", case when ascii("career_sites"."introduction") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."introduction", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "introduction", case when ascii("career_sites"."brand_color") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."brand_color", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "brand_color", case when ascii("career_sites"."accent_color") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."accent_color", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "accent_color", case when ascii("career_sites"."logo_url") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."logo_url", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "logo_url", case when ascii("career_sites"."privacy_policy_url") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."privacy_policy_url", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "privacy_policy_url", case when ascii("career_sites"."custom_domain") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("career_sites"."custom_domain", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "custom_domain", "career_sites"."is_active" as "is_active",
  rtrim(rtrim(to_char("career_sites"."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created",
  rtrim(rtrim(to_char("career_sites"."updated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "updated"
  from "career_sites"
  where search_text like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- career-sites: count an export by a word
select books.version, (select count(*)
  from "career_sites"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: count by slug
with groups as materialized (select muster_key("slug") collate "C" as value_1, count(*) as count
  from "career_sites"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "slug", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: count by month(created)
with groups as materialized (select date_trunc('month', "created" at time zone 'UTC') as value_1, count(*) as count
  from "career_sites"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select to_char(value_1, 'YYYY-MM') as "month(created)", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: count by slug and month(created) where a word is found
with groups as materialized (select muster_key("slug") collate "C" as value_1, date_trunc('month', "created" at time zone 'UTC') as value_2, count(*) as count
  from "career_sites"
  where search_text like muster_like($1) group by 1, 2 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "slug",
  to_char(value_2, 'YYYY-MM') as "month(created)", count) answered) as text
    from groups
    order by value_1 nulls last, value_2 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: get (prepared as "get career-sites")
select id, books.version, record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books
left join "career_sites" on id = any ($1);

-- career-sites: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "career_sites"."id" as "id", "career_sites"."name" as "name") record) as record_json
    from "career_sites"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['career_sites']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: create (prepared as "create career-sites")
with made as (insert into "career_sites" ("name", "slug", "headline", "introduction", "brand_color", "accent_color", "logo_url", "privacy_policy_url", "is_active") select $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::bigint
  from (select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true), set_config('client_min_messages', 'warning', true)) durably
  returning id, record_json), noted as (insert into muster_writes (request_id, token, route, record_id, outcome) select $10, $11, 'POST /v1/career-sites', id, 'created'
  from made) select id, record_json
from made;

-- career-sites: create with a key (prepared as "create career-sites once")
with claim as (insert into muster_idempotency_keys (resource, key, fingerprint, record_id) select 'career-sites', $12::text, $13::bytea, nextval(pg_get_serial_sequence('career_sites', 'id'))
  from (select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true), set_config('client_min_messages', 'warning', true)) durably on conflict do nothing
  returning record_id), made as (insert into "career_sites" (id, "name", "slug", "headline", "introduction", "brand_color", "accent_color", "logo_url", "privacy_policy_url", "is_active") select record_id, $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::bigint
  from claim
  returning id, record_json), noted as (insert into muster_writes (request_id, token, route, record_id, outcome) select $10, $11, 'POST /v1/career-sites', id, 'created'
  from made) select id, record_json
from made;

-- career-sites: what a taken key stands for (prepared as "claimed career-sites")
select fingerprint = $2, id, record_json
from muster_idempotency_keys
left join "career_sites" on id = record_id
where resource = 'career-sites' and key = $1;

-- career-sites: what stands against a create
select exists (select from "career_sites" where "slug" = $1);

-- organization-teams: list (prepared as "list organization-teams")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "organization_teams"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: list from afar (prepared as "leap organization-teams")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "organization_teams"
    where id >= (select id
      from "organization_teams"
      where id >= $2::bigint
      order by id limit 1 offset $3::bigint)
    order by id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'organization_teams' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'organization_teams' and scope = '' and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: list from afar, by the books themselves
with scopes as materialized (select array[''] as names), found as materialized (select found.*
  from scopes, muster_seek('organization_teams', names, $2::bigint) found) select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "organization_teams"
        where id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: list sorted by -department_id
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from "organization_teams"
        where true
        order by "organization_teams"."department_id" desc, "organization_teams"."id" desc limit $1 offset $2)) with ordinality wanted (wanted_id, place) join "organization_teams" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: find by a word, sorted by -department_id
with found as materialized (select id
  from (select "id", "department_id"
    from "organization_teams"
    where search_text like muster_like($1) limit 200001) "organization_teams"
  order by "organization_teams"."department_id" desc, "organization_teams"."id" desc) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from found limit $2::bigint offset $3::bigint)) with ordinality wanted (wanted_id, place) join "organization_teams" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: count very many by a word, sorted by -department_id
select books.version, (select count(*)
  from "organization_teams"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: find by a word alone (prepared as "find by 1 organization-teams")
with found as materialized (select id
  from (select "id"
    from "organization_teams"
    where search_text like (select muster_like($1)) limit 200001) "organization_teams"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "organization_teams"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: find by country, organization_id, a word
with found as materialized (select id
  from (select "id"
    from "organization_teams"
    where muster_key("country") = muster_key($1) and "organization_id" = $2::bigint and search_text like muster_like($3) limit 200001) "organization_teams"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "organization_teams"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: count very many by country, organization_id, a word
with blocks as materialized (select id >> 8 as block, count(*) as rows
  from "organization_teams"
  where muster_key("country") = muster_key($1) and "organization_id" = $2::bigint and search_text like muster_like($3) group by 1) select books.version, (select string_agg(block::text, ','
    order by block)
  from blocks), (select string_agg(rows::text, ','
    order by block)
  from blocks)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: list by country, organization_id, a word while it changes all the time
select books.version, (select count(*)
  from "organization_teams"
  where muster_key("country") = muster_key($1) and "organization_id" = $2::bigint and search_text like muster_like($3)), (select string_agg(record_json, ',')
  from (select record_json
    from "organization_teams"
    where id = any (array(select id
        from "organization_teams"
        where muster_key("country") = muster_key($4) and "organization_id" = $5::bigint and search_text like muster_like($6)
        order by id limit $7 offset $8))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: export as CSV
copy (select "organization_teams"."id" as "id", "organization_teams"."organization_id" as "organization_id", "organization_teams"."parent_id" as "parent_id", case when ascii("organization_teams"."name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organization_teams"."name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "name", case when ascii("organization_teams"."country") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organization_teams"."country", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "country", "organization_teams"."department_id" as "department_id", case when ascii("organization_teams"."settings_json") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organization_teams"."settings_json", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "settings_json"
  from "organization_teams"
  order by id) to stdout (format csv, header);

-- organization-teams: export as NDJSON
copy (select record_json
  from "organization_teams"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- organization-teams: export by a word
copy (select "organization_teams"."id" as "id", "organization_teams"."organization_id" as "organization_id", "organization_teams"."parent_id" as "parent_id", case when ascii("organization_teams"."name") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organization_teams"."name", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "name", case when ascii("organization_teams"."country") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organization_teams"."country", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "country", "organization_teams"."department_id" as "department_id", case when ascii("organization_teams"."settings_json") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("organization_teams"."settings_json", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "settings_json"
  from "organization_teams"
  where search_text like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- organization-teams: count an export by a word
select books.version, (select count(*)
  from "organization_teams"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: count by country
with groups as materialized (select muster_key("country") collate "C" as value_1, count(*) as count
  from "organization_teams"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "country", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: count by organization_id
with groups as materialized (select "organization_id" as value_1, count(*) as count
  from "organization_teams"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "organization_id", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: count by country and organization_id where a word is found
with groups as materialized (select muster_key("country") collate "C" as value_1, "organization_id" as value_2, count(*) as count
  from "organization_teams"
  where search_text like muster_like($1) group by 1, 2 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "country", value_2 as "organization_id", count) answered) as text
    from groups
    order by value_1 nulls last, value_2 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: get (prepared as "get organization-teams")
select id, books.version, record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books
left join "organization_teams" on id = any ($1);

-- organization-teams: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "organization_teams"."id" as "id", "organization_teams"."organization_id" as "organization_id") record) as record_json
    from "organization_teams"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: get with related records
select id, books.version, left("organization_teams".record_json, -1) || ',"organization":' || coalesce((select related.record_json
    from "organizations" related
    where related.id = "organization_teams"."organization_id"), 'null') || ',"parent":' || coalesce((select related.record_json
    from "organization_teams" related
    where related.id = "organization_teams"."parent_id"), 'null') || ',"department":' || coalesce((select related.record_json
    from "departments" related
    where related.id = "organization_teams"."department_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'organization_teams'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'organizations'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'departments'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams', 'organizations', 'departments']) else '' end as version, coalesce(sum(rows) filter (where resource = 'organization_teams'), 0)::bigint as rows
  from muster_ledger
  where resource in ('organization_teams', 'organizations', 'departments')) books
left join "organization_teams" on id = any ($1);

-- organization-teams: get with related records, redacted
select id, books.version, left("organization_teams".record_json, -1) || ',"organization":' || coalesce((select related.record_json
    from "organizations" related
    where related.id = "organization_teams"."organization_id"), 'null') || ',"parent":' || coalesce((select related.record_json
    from "organization_teams" related
    where related.id = "organization_teams"."parent_id"), 'null') || ',"department":' || coalesce((select related.record_json
    from "departments" related
    where related.id = "organization_teams"."department_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'organization_teams'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'organizations'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'departments'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['organization_teams', 'organizations', 'departments']) else '' end as version, coalesce(sum(rows) filter (where resource = 'organization_teams'), 0)::bigint as rows
  from muster_ledger
  where resource in ('organization_teams', 'organizations', 'departments')) books
left join "organization_teams" on id = any ($1);

-- organization-teams: create (prepared as "create organization-teams")
with made as (insert into "organization_teams" ("organization_id", "parent_id", "name", "country", "department_id", "settings_json") select $1::bigint, $2::bigint, $3::text, $4::text, $5::bigint, $6::text
  from (select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true), set_config('client_min_messages', 'warning', true)) durably
  returning id, record_json), noted as (insert into muster_writes (request_id, token, route, record_id, outcome) select $7, $8, 'POST /v1/organization-teams', id, 'created'
  from made) select id, record_json
from made;

-- organization-teams: create with a key (prepared as "create organization-teams once")
with claim as (insert into muster_idempotency_keys (resource, key, fingerprint, record_id) select 'organization-teams', $9::text, $10::bytea, nextval(pg_get_serial_sequence('organization_teams', 'id'))
  from (select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true), set_config('client_min_messages', 'warning', true)) durably on conflict do nothing
  returning record_id), made as (insert into "organization_teams" (id, "organization_id", "parent_id", "name", "country", "department_id", "settings_json") select record_id, $1::bigint, $2::bigint, $3::text, $4::text, $5::bigint, $6::text
  from claim
  returning id, record_json), noted as (insert into muster_writes (request_id, token, route, record_id, outcome) select $7, $8, 'POST /v1/organization-teams', id, 'created'
  from made) select id, record_json
from made;

-- organization-teams: what a taken key stands for (prepared as "claimed organization-teams")
select fingerprint = $2, id, record_json
from muster_idempotency_keys
left join "organization_teams" on id = record_id
where resource = 'organization-teams' and key = $1;

-- organization-teams: what stands against a create
select not exists (select from "organizations" where id = $1::bigint),
  not exists (select from "organization_teams" where id = $2::bigint and "organization_id" = $3::bigint),
  not exists (select from "departments" where id = $4::bigint);

-- job-distributions: list (prepared as "list job-distributions")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "job_distributions"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: list from afar (prepared as "leap job-distributions")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "job_distributions"
    where id >= (select id
      from "job_distributions"
      where id >= $2::bigint
      order by id limit 1 offset $3::bigint)
    order by id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'job_distributions' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'job_distributions' and scope = '' and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: list from afar, by the books themselves
with scopes as materialized (select array[''] as names), found as materialized (select found.*
  from scopes, muster_seek('job_distributions', names, $2::bigint) found) select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "job_distributions"
        where id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: list sorted by -published_at
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from "job_distributions"
        where true
        order by "job_distributions"."published_at" desc, "job_distributions"."id" desc limit $1 offset $2)) with ordinality wanted (wanted_id, place) join "job_distributions" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: find by a word, sorted by -published_at
with found as materialized (select id
  from (select "id", "published_at"
    from "job_distributions"
    where search_text like muster_like($1) limit 200001) "job_distributions"
  order by "job_distributions"."published_at" desc, "job_distributions"."id" desc) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from unnest(array(select id
        from found limit $2::bigint offset $3::bigint)) with ordinality wanted (wanted_id, place) join "job_distributions" on id = wanted_id
    order by place) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: count very many by a word, sorted by -published_at
select books.version, (select count(*)
  from "job_distributions"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: list by status (prepared as "leap by status job-distributions")
select books.version, muster_count('job_distributions', array['status=' || muster_key($6::text)]), (select string_agg(record_json, ',')
  from (select record_json
    from "job_distributions"
    where muster_key("status") <= muster_key($6::text) and (muster_key("status"), id) >= (muster_key($6::text), (select id
        from "job_distributions"
        where muster_key("status") <= muster_key($6::text) and (muster_key("status"), id) >= (muster_key($6::text), $2::bigint)
        order by muster_key("status"), id limit 1 offset $3::bigint))
    order by muster_key("status"), id limit $1) page), (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
    from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
    from pg_postmaster_start_time())::text || '.' || extract(epoch
    from pg_stat_get_bgwriter_stat_reset_time())::text end) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'job_distributions' and scope = 'status=' || muster_key($6::text)), 0) = $4::bigint and not exists (select
  from muster_journal
  where resource = 'job_distributions' and scope = 'status=' || muster_key($6::text) and block < $2::bigint >> 8)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: list by either status
with scopes as materialized (select array(select distinct 'status=' || muster_key(v)
    from unnest($3::text[]) v) as names), found as materialized (select found.*
  from scopes, muster_seek('job_distributions', names, $2::bigint) found) select books.version, (select muster_count('job_distributions', names)
  from scopes), (select string_agg(record_json, ',')
  from (select record_json
    from ((select id, record_json
        from "job_distributions"
        where muster_key("status") = muster_key(($3::text[])[1]) and id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found)) union (select id, record_json
        from "job_distributions"
        where muster_key("status") = muster_key(($3::text[])[2]) and id >= (select start_id
          from found)
        order by id limit $1::bigint + (select remainder
          from found))) runs
    order by id limit $1 offset (select remainder
      from found)) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: find by a word alone (prepared as "find by 1 job-distributions")
with found as materialized (select id
  from (select "id"
    from "job_distributions"
    where search_text like (select muster_like($1)) limit 200001) "job_distributions"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "job_distributions"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: find by locale, job_posting_id, a word
with found as materialized (select id
  from (select "id"
    from "job_distributions"
    where muster_key("locale") = muster_key($1) and "job_posting_id" = $2::bigint and search_text like muster_like($3) limit 200001) "job_distributions"
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "job_distributions"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: count very many by locale, job_posting_id, a word
with blocks as materialized (select id >> 8 as block, count(*) as rows
  from "job_distributions"
  where muster_key("locale") = muster_key($1) and "job_posting_id" = $2::bigint and search_text like muster_like($3) group by 1) select books.version, (select string_agg(block::text, ','
    order by block)
  from blocks), (select string_agg(rows::text, ','
    order by block)
  from blocks)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: list by locale, job_posting_id, a word while it changes all the time
select books.version, (select count(*)
  from "job_distributions"
  where muster_key("locale") = muster_key($1) and "job_posting_id" = $2::bigint and search_text like muster_like($3)), (select string_agg(record_json, ',')
  from (select record_json
    from "job_distributions"
    where id = any (array(select id
        from "job_distributions"
        where muster_key("locale") = muster_key($4) and "job_posting_id" = $5::bigint and search_text like muster_like($6)
        order by id limit $7 offset $8))
    order by id) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: export as CSV
copy (select "job_distributions"."id" as "id", "job_distributions"."job_posting_id" as "job_posting_id", "job_distributions"."career_site_id" as "career_site_id", "job_distributions"."brand_id" as "brand_id", case when ascii("job_distributions"."locale") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_distributions"."locale", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "locale", case when ascii("job_distributions"."slug") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_distributions"."slug", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "slug", case when ascii("job_distributions"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_distributions"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status",
  rtrim(rtrim(to_char("job_distributions"."published_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "published_at"
  from "job_distributions"
  order by id) to stdout (format csv, header);

-- job-distributions: export as NDJSON
copy (select record_json
  from "job_distributions"
  order by id) to stdout (format csv, quote E'\x01', delimiter E'\x02');

-- job-distributions: export by a word
copy (select "job_distributions"."id" as "id", "job_distributions"."job_posting_id" as "job_posting_id", "job_distributions"."career_site_id" as "career_site_id", "job_distributions"."brand_id" as "brand_id", case when ascii("job_distributions"."locale") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_distributions"."locale", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "locale", case when ascii("job_distributions"."slug") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_distributions"."slug", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "slug", case when ascii("job_distributions"."status") in (61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312) then '''' else '' end || regexp_replace("job_distributions"."status", '([;\t\r\n])("*[=+@＝＋－＠-])', '\1''\2', 'g') as "status",
  rtrim(rtrim(to_char("job_distributions"."published_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "published_at"
  from "job_distributions"
  where search_text like muster_like('o''neill')
  order by id) to stdout (format csv, header);

-- job-distributions: count an export by a word
select books.version, (select count(*)
  from "job_distributions"
  where search_text like muster_like($1))
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: count by status (prepared as "count by status job-distributions")
with recursive folded (scope) as (select (select scope
    from muster_blocks
    where resource = 'job_distributions' and scope < 'status>' and scope >= 'status='
    order by scope limit 1) union all select (select scope
    from muster_blocks
    where resource = 'job_distributions' and scope < 'status>' and scope > folded.scope
    order by scope limit 1)
  from folded
  where folded.scope is not null), groups as materialized (select *
  from (select substr(scope, 8) as value_1, muster_count('job_distributions', array[scope]) as count
    from (select scope
      from folded
      where scope is not null union select scope
      from muster_journal
      where resource = 'job_distributions' and scope < 'status>' and scope >= 'status=') scopes) counted
  where count > 0 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "status", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: count by locale
with groups as materialized (select muster_key("locale") collate "C" as value_1, count(*) as count
  from "job_distributions"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "locale", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: count by job_posting_id
with groups as materialized (select "job_posting_id" as value_1, count(*) as count
  from "job_distributions"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "job_posting_id", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: count by month(published_at)
with groups as materialized (select date_trunc('month', "published_at" at time zone 'UTC') as value_1, count(*) as count
  from "job_distributions"
  where true group by 1 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select to_char(value_1, 'YYYY-MM') as "month(published_at)", count) answered) as text
    from groups
    order by value_1 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: count by status and locale where a word is found
with groups as materialized (select muster_key("status") collate "C" as value_1, muster_key("locale") collate "C" as value_2, count(*) as count
  from "job_distributions"
  where search_text like muster_like($1) group by 1, 2 limit 1001) select books.version, (select count(*)
  from groups), (select sum(count)
  from groups), (select string_agg(text, ',')
  from (select (select row_to_json(answered)::text
      from (select value_1 as "status", value_2 as "locale", count) answered) as text
    from groups
    order by value_1 nulls last, value_2 nulls last) ordered)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: get (prepared as "get job-distributions")
select id, books.version, record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books
left join "job_distributions" on id = any ($1);

-- job-distributions: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "job_distributions"."id" as "id", "job_distributions"."job_posting_id" as "job_posting_id") record) as record_json
    from "job_distributions"
    order by id limit $1 offset $2) page)
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions']) else '' end as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: get with related records
select id, books.version, left("job_distributions".record_json, -1) || ',"job":' || coalesce((select related.record_json
    from "job_openings" related
    where related.id = "job_distributions"."job_posting_id"), 'null') || ',"career_site":' || coalesce((select related.record_json
    from "career_sites" related
    where related.id = "job_distributions"."career_site_id"), 'null') || ',"brand":' || coalesce((select related.record_json
    from "recruitment_brands" related
    where related.id = "job_distributions"."brand_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'job_distributions'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'job_openings'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'career_sites'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'recruitment_brands'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions', 'job_openings', 'career_sites', 'recruitment_brands']) else '' end as version, coalesce(sum(rows) filter (where resource = 'job_distributions'), 0)::bigint as rows
  from muster_ledger
  where resource in ('job_distributions', 'job_openings', 'career_sites', 'recruitment_brands')) books
left join "job_distributions" on id = any ($1);

-- job-distributions: get with related records, redacted
select id, books.version, left("job_distributions".record_json, -1) || ',"job":' || coalesce((select related.record_json
    from "job_openings" related
    where related.id = "job_distributions"."job_posting_id"), 'null') || ',"career_site":' || coalesce((select related.record_json
    from "career_sites" related
    where related.id = "job_distributions"."career_site_id"), 'null') || ',"brand":' || coalesce((select related.record_json
    from "recruitment_brands" related
    where related.id = "job_distributions"."brand_id"), 'null') || '}' as record_json
from (select (case when pg_is_in_recovery() then muster_noted_era() else (select epoch
      from muster_epoch) || '.' || pg_relation_filepath('muster_ledger') || '.' || extract(epoch
      from pg_postmaster_start_time())::text || '.' || extract(epoch
      from pg_stat_get_bgwriter_stat_reset_time())::text end) || '.' || coalesce(sum(changes) filter (where resource = 'job_distributions'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'job_openings'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'career_sites'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'recruitment_brands'), 0) || case when pg_is_in_recovery() then '@' || muster_mark(array['job_distributions', 'job_openings', 'career_sites', 'recruitment_brands']) else '' end as version, coalesce(sum(rows) filter (where resource = 'job_distributions'), 0)::bigint as rows
  from muster_ledger
  where resource in ('job_distributions', 'job_openings', 'career_sites', 'recruitment_brands')) books
left join "job_distributions" on id = any ($1);

-- job-distributions: create (prepared as "create job-distributions")
with made as (insert into "job_distributions" ("job_posting_id", "career_site_id", "brand_id", "locale", "slug", "status", "published_at") select $1::bigint, $2::bigint, $3::bigint, $4::text, $5::text, $6::text, $7::timestamptz
  from (select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true), set_config('client_min_messages', 'warning', true)) durably
  returning id, record_json), noted as (insert into muster_writes (request_id, token, route, record_id, outcome) select $8, $9, 'POST /v1/job-distributions', id, 'created'
  from made) select id, record_json
from made;

-- job-distributions: create with a key (prepared as "create job-distributions once")
with claim as (insert into muster_idempotency_keys (resource, key, fingerprint, record_id) select 'job-distributions', $10::text, $11::bytea, nextval(pg_get_serial_sequence('job_distributions', 'id'))
  from (select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true), set_config('client_min_messages', 'warning', true)) durably on conflict do nothing
  returning record_id), made as (insert into "job_distributions" (id, "job_posting_id", "career_site_id", "brand_id", "locale", "slug", "status", "published_at") select record_id, $1::bigint, $2::bigint, $3::bigint, $4::text, $5::text, $6::text, $7::timestamptz
  from claim
  returning id, record_json), noted as (insert into muster_writes (request_id, token, route, record_id, outcome) select $8, $9, 'POST /v1/job-distributions', id, 'created'
  from made) select id, record_json
from made;

-- job-distributions: what a taken key stands for (prepared as "claimed job-distributions")
select fingerprint = $2, id, record_json
from muster_idempotency_keys
left join "job_distributions" on id = record_id
where resource = 'job-distributions' and key = $1;

-- job-distributions: what stands against a create
select not exists (select from "job_openings" where id = $1::bigint),
  not exists (select from "career_sites" where id = $2::bigint),
  not exists (select from "recruitment_brands" where id = $3::bigint),
  exists (select from "job_distributions" where "career_site_id" = $4 and "locale" = $5 and "slug" = $6);
