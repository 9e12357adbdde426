-- Every statement the resources cause, as the service sends it; only the line breaks are added here.
-- Written by "npm run generate".

-- employees: list (prepared as "list employees")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "employees"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'employees' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'employees' and scope = '' and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by muster_key("status"), id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'employees' and scope = 'status=' || muster_key($6::text)), 0) = $4::bigint and not exists (select
  from muster_journal
  where resource = 'employees' and scope = 'status=' || muster_key($6::text) and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: find by a word alone (prepared as "find by 1 employees")
with found as materialized (select id
  from (select id
    from "employees"
    where search_text like (select muster_like($1)) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "employees"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: find by code, dept_id, a word
with found as materialized (select id
  from (select id
    from "employees"
    where muster_key("code") = muster_key($1) and "dept_id" = $2::bigint and search_text like muster_like($3) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "employees"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: list by code, dept_id, a word while it changes all the time
select books.version, (select count(*)
  from "employees"
  where muster_key("code") = muster_key($3) and "dept_id" = $4::bigint and search_text like muster_like($5)), (select string_agg(record_json, ',')
  from (select record_json
    from "employees"
    where muster_key("code") = muster_key($3) and "dept_id" = $4::bigint and search_text like muster_like($5)
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: get (prepared as "get employees")
select id, books.version, record_json
from "employees", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books
where id = any ($1);

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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: find by a word, redacted
with found as materialized (select id
  from (select id
    from "employees"
    where search_text_public like muster_like($1) limit 200001) unsorted
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'employees') books;

-- employees: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "employees"."id" as "id", "employees"."code" as "code") record) as record_json
    from "employees"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from "employees", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'departments'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'candidates'), 0) as version, coalesce(sum(rows) filter (where resource = 'employees'), 0)::bigint as rows
  from muster_ledger
  where resource in ('employees', 'departments', 'candidates')) books
where id = any ($1);

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
from "employees", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'departments'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'candidates'), 0) as version, coalesce(sum(rows) filter (where resource = 'employees'), 0)::bigint as rows
  from muster_ledger
  where resource in ('employees', 'departments', 'candidates')) books
where id = any ($1);

-- departments: list (prepared as "list departments")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "departments"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'departments' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'departments' and scope = '' and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: find by a word alone (prepared as "find by 1 departments")
with found as materialized (select id
  from (select id
    from "departments"
    where search_text like (select muster_like($1)) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "departments"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: find by a word
with found as materialized (select id
  from (select id
    from "departments"
    where search_text like muster_like($1) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "departments"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: list by a word while it changes all the time
select books.version, (select count(*)
  from "departments"
  where search_text like muster_like($3)), (select string_agg(record_json, ',')
  from (select record_json
    from "departments"
    where search_text like muster_like($3)
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- departments: get (prepared as "get departments")
select id, books.version, record_json
from "departments", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books
where id = any ($1);

-- departments: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "departments"."id" as "id", "departments"."name" as "name") record) as record_json
    from "departments"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'departments') books;

-- leave: list (prepared as "list leave")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "leave_requests"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'leave_requests' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'leave_requests' and scope = '' and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by muster_key("status"), id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'leave_requests' and scope = 'status=' || muster_key($6::text)), 0) = $4::bigint and not exists (select
  from muster_journal
  where resource = 'leave_requests' and scope = 'status=' || muster_key($6::text) and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: find by a word alone (prepared as "find by 1 leave")
with found as materialized (select id
  from (select id
    from "leave_requests"
    where search_text like (select muster_like($1)) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "leave_requests"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: find by leave_type, employee_id, a word
with found as materialized (select id
  from (select id
    from "leave_requests"
    where muster_key("leave_type") = muster_key($1) and "employee_id" = $2::bigint and search_text like muster_like($3) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "leave_requests"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: list by leave_type, employee_id, a word while it changes all the time
select books.version, (select count(*)
  from "leave_requests"
  where muster_key("leave_type") = muster_key($3) and "employee_id" = $4::bigint and search_text like muster_like($5)), (select string_agg(record_json, ',')
  from (select record_json
    from "leave_requests"
    where muster_key("leave_type") = muster_key($3) and "employee_id" = $4::bigint and search_text like muster_like($5)
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: get (prepared as "get leave")
select id, books.version, record_json
from "leave_requests", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books
where id = any ($1);

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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: find by a word, redacted
with found as materialized (select id
  from (select id
    from "leave_requests"
    where search_text_public like muster_like($1) limit 200001) unsorted
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "leave_requests"."id" as "id", "leave_requests"."employee_id" as "employee_id") record) as record_json
    from "leave_requests"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'leave_requests') books;

-- leave: get with related records
select id, books.version, left("leave_requests".record_json, -1) || ',"employee":' || coalesce((select related.record_json
    from "employees" related
    where related.id = "leave_requests"."employee_id"), 'null') || '}' as record_json
from "leave_requests", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'leave_requests'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) as version, coalesce(sum(rows) filter (where resource = 'leave_requests'), 0)::bigint as rows
  from muster_ledger
  where resource in ('leave_requests', 'employees')) books
where id = any ($1);

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
from "leave_requests", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'leave_requests'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) as version, coalesce(sum(rows) filter (where resource = 'leave_requests'), 0)::bigint as rows
  from muster_ledger
  where resource in ('leave_requests', 'employees')) books
where id = any ($1);

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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'attendance' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'attendance' and scope = '' and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by muster_key("status"), id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'attendance' and scope = 'status=' || muster_key($6::text)), 0) = $4::bigint and not exists (select
  from muster_journal
  where resource = 'attendance' and scope = 'status=' || muster_key($6::text) and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: find by a word alone (prepared as "find by 1 attendance")
with found as materialized (select id
  from (select id
    from "attendance"
    where search_text like (select muster_like($1)) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "attendance"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: find by status, employee_id, a word
with found as materialized (select id
  from (select id
    from "attendance"
    where muster_key("status") = muster_key($1) and "employee_id" = $2::bigint and search_text like muster_like($3) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "attendance"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: list by status, employee_id, a word while it changes all the time
select books.version, (select count(*)
  from "attendance"
  where muster_key("status") = muster_key($3) and "employee_id" = $4::bigint and search_text like muster_like($5)), (select string_agg(record_json, ',')
  from (select record_json
    from "attendance"
    where muster_key("status") = muster_key($3) and "employee_id" = $4::bigint and search_text like muster_like($5)
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: get (prepared as "get attendance")
select id, books.version, record_json
from "attendance", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books
where id = any ($1);

-- attendance: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "attendance"."id" as "id", "attendance"."employee_id" as "employee_id") record) as record_json
    from "attendance"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'attendance') books;

-- attendance: get with related records
select id, books.version, left("attendance".record_json, -1) || ',"employee":' || coalesce((select related.record_json
    from "employees" related
    where related.id = "attendance"."employee_id"), 'null') || '}' as record_json
from "attendance", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'attendance'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) as version, coalesce(sum(rows) filter (where resource = 'attendance'), 0)::bigint as rows
  from muster_ledger
  where resource in ('attendance', 'employees')) books
where id = any ($1);

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
from "attendance", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'attendance'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) as version, coalesce(sum(rows) filter (where resource = 'attendance'), 0)::bigint as rows
  from muster_ledger
  where resource in ('attendance', 'employees')) books
where id = any ($1);

-- jobs: list (prepared as "list jobs")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "job_openings"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'job_openings' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'job_openings' and scope = '' and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by muster_key("status"), id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'job_openings' and scope = 'status=' || muster_key($6::text)), 0) = $4::bigint and not exists (select
  from muster_journal
  where resource = 'job_openings' and scope = 'status=' || muster_key($6::text) and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: find by a word alone (prepared as "find by 1 jobs")
with found as materialized (select id
  from (select id
    from "job_openings"
    where search_text like (select muster_like($1)) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "job_openings"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: find by code, dept_id, a word
with found as materialized (select id
  from (select id
    from "job_openings"
    where muster_key("code") = muster_key($1) and "dept_id" = $2::bigint and search_text like muster_like($3) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "job_openings"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: list by code, dept_id, a word while it changes all the time
select books.version, (select count(*)
  from "job_openings"
  where muster_key("code") = muster_key($3) and "dept_id" = $4::bigint and search_text like muster_like($5)), (select string_agg(record_json, ',')
  from (select record_json
    from "job_openings"
    where muster_key("code") = muster_key($3) and "dept_id" = $4::bigint and search_text like muster_like($5)
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: get (prepared as "get jobs")
select id, books.version, record_json
from "job_openings", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books
where id = any ($1);

-- jobs: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "job_openings"."id" as "id", "job_openings"."code" as "code") record) as record_json
    from "job_openings"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_openings') books;

-- jobs: get with related records
select id, books.version, left("job_openings".record_json, -1) || ',"department":' || coalesce((select related.record_json
    from "departments" related
    where related.id = "job_openings"."dept_id"), 'null') || ',"hiring_manager":' || coalesce((select related.record_json
    from "employees" related
    where related.id = "job_openings"."hiring_manager_id"), 'null') || '}' as record_json
from "job_openings", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'job_openings'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'departments'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) as version, coalesce(sum(rows) filter (where resource = 'job_openings'), 0)::bigint as rows
  from muster_ledger
  where resource in ('job_openings', 'departments', 'employees')) books
where id = any ($1);

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
from "job_openings", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'job_openings'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'departments'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) as version, coalesce(sum(rows) filter (where resource = 'job_openings'), 0)::bigint as rows
  from muster_ledger
  where resource in ('job_openings', 'departments', 'employees')) books
where id = any ($1);

-- candidates: list (prepared as "list candidates")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "candidates"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'candidates' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'candidates' and scope = '' and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by muster_key("status"), id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'candidates' and scope = 'status=' || muster_key($6::text)), 0) = $4::bigint and not exists (select
  from muster_journal
  where resource = 'candidates' and scope = 'status=' || muster_key($6::text) and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: find by a word alone (prepared as "find by 1 candidates")
with found as materialized (select id
  from (select id
    from "candidates"
    where search_text like (select muster_like($1)) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "candidates"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: find by email, referred_by, a word
with found as materialized (select id
  from (select id
    from "candidates"
    where muster_key("email") = muster_key($1) and "referred_by" = $2::bigint and search_text like muster_like($3) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "candidates"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: list by email, referred_by, a word while it changes all the time
select books.version, (select count(*)
  from "candidates"
  where muster_key("email") = muster_key($3) and "referred_by" = $4::bigint and search_text like muster_like($5)), (select string_agg(record_json, ',')
  from (select record_json
    from "candidates"
    where muster_key("email") = muster_key($3) and "referred_by" = $4::bigint and search_text like muster_like($5)
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: get (prepared as "get candidates")
select id, books.version, record_json
from "candidates", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books
where id = any ($1);

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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: find by a word, redacted
with found as materialized (select id
  from (select id
    from "candidates"
    where search_text_public like muster_like($1) limit 200001) unsorted
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "candidates"."id" as "id", "candidates"."first_name" as "first_name") record) as record_json
    from "candidates"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'candidates') books;

-- candidates: get with related records
select id, books.version, left("candidates".record_json, -1) || ',"referrer":' || coalesce((select related.record_json
    from "employees" related
    where related.id = "candidates"."referred_by"), 'null') || '}' as record_json
from "candidates", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'candidates'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) as version, coalesce(sum(rows) filter (where resource = 'candidates'), 0)::bigint as rows
  from muster_ledger
  where resource in ('candidates', 'employees')) books
where id = any ($1);

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
from "candidates", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'candidates'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'employees'), 0) as version, coalesce(sum(rows) filter (where resource = 'candidates'), 0)::bigint as rows
  from muster_ledger
  where resource in ('candidates', 'employees')) books
where id = any ($1);

-- applications: list (prepared as "list applications")
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select record_json
    from "applications"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'applications' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'applications' and scope = '' and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by muster_key("stage"), id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'applications' and scope = 'stage=' || muster_key($6::text)), 0) = $4::bigint and not exists (select
  from muster_journal
  where resource = 'applications' and scope = 'stage=' || muster_key($6::text) and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: find by a word alone (prepared as "find by 1 applications")
with found as materialized (select id
  from (select id
    from "applications"
    where search_text like (select muster_like($1)) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "applications"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: find by stage, candidate_id, a word
with found as materialized (select id
  from (select id
    from "applications"
    where muster_key("stage") = muster_key($1) and "candidate_id" = $2::bigint and search_text like muster_like($3) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "applications"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: list by stage, candidate_id, a word while it changes all the time
select books.version, (select count(*)
  from "applications"
  where muster_key("stage") = muster_key($3) and "candidate_id" = $4::bigint and search_text like muster_like($5)), (select string_agg(record_json, ',')
  from (select record_json
    from "applications"
    where muster_key("stage") = muster_key($3) and "candidate_id" = $4::bigint and search_text like muster_like($5)
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: get (prepared as "get applications")
select id, books.version, record_json
from "applications", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books
where id = any ($1);

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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: find by a word, redacted
with found as materialized (select id
  from (select id
    from "applications"
    where search_text_public like muster_like($1) limit 200001) unsorted
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "applications"."id" as "id", "applications"."candidate_id" as "candidate_id") record) as record_json
    from "applications"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'applications') books;

-- applications: get with related records
select id, books.version, left("applications".record_json, -1) || ',"candidate":' || coalesce((select related.record_json
    from "candidates" related
    where related.id = "applications"."candidate_id"), 'null') || ',"job":' || coalesce((select related.record_json
    from "job_openings" related
    where related.id = "applications"."job_id"), 'null') || '}' as record_json
from "applications", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'applications'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'candidates'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'job_openings'), 0) as version, coalesce(sum(rows) filter (where resource = 'applications'), 0)::bigint as rows
  from muster_ledger
  where resource in ('applications', 'candidates', 'job_openings')) books
where id = any ($1);

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
from "applications", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'applications'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'candidates'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'job_openings'), 0) as version, coalesce(sum(rows) filter (where resource = 'applications'), 0)::bigint as rows
  from muster_ledger
  where resource in ('applications', 'candidates', 'job_openings')) books
where id = any ($1);

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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'organizations' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'organizations' and scope = '' and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: find by a word alone (prepared as "find by 1 organizations")
with found as materialized (select id
  from (select id
    from "organizations"
    where search_text like (select muster_like($1)) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "organizations"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: find by slug, a word
with found as materialized (select id
  from (select id
    from "organizations"
    where muster_key("slug") = muster_key($1) and search_text like muster_like($2) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "organizations"
    where id = any (array(select id
        from found limit $3::bigint offset $4::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: list by slug, a word while it changes all the time
select books.version, (select count(*)
  from "organizations"
  where muster_key("slug") = muster_key($3) and search_text like muster_like($4)), (select string_agg(record_json, ',')
  from (select record_json
    from "organizations"
    where muster_key("slug") = muster_key($3) and search_text like muster_like($4)
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books;

-- organizations: get (prepared as "get organizations")
select id, books.version, record_json
from "organizations", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organizations') books
where id = any ($1);

-- organizations: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "organizations"."id" as "id", "organizations"."name" as "name") record) as record_json
    from "organizations"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'recruitment_brands' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'recruitment_brands' and scope = '' and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: find by a word alone (prepared as "find by 1 brands")
with found as materialized (select id
  from (select id
    from "recruitment_brands"
    where search_text like (select muster_like($1)) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "recruitment_brands"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: find by slug, organization_id, a word
with found as materialized (select id
  from (select id
    from "recruitment_brands"
    where muster_key("slug") = muster_key($1) and "organization_id" = $2::bigint and search_text like muster_like($3) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "recruitment_brands"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: list by slug, organization_id, a word while it changes all the time
select books.version, (select count(*)
  from "recruitment_brands"
  where muster_key("slug") = muster_key($3) and "organization_id" = $4::bigint and search_text like muster_like($5)), (select string_agg(record_json, ',')
  from (select record_json
    from "recruitment_brands"
    where muster_key("slug") = muster_key($3) and "organization_id" = $4::bigint and search_text like muster_like($5)
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: get (prepared as "get brands")
select id, books.version, record_json
from "recruitment_brands", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books
where id = any ($1);

-- brands: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "recruitment_brands"."id" as "id", "recruitment_brands"."organization_id" as "organization_id") record) as record_json
    from "recruitment_brands"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'recruitment_brands') books;

-- brands: get with related records
select id, books.version, left("recruitment_brands".record_json, -1) || ',"organization":' || coalesce((select related.record_json
    from "organizations" related
    where related.id = "recruitment_brands"."organization_id"), 'null') || '}' as record_json
from "recruitment_brands", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'recruitment_brands'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'organizations'), 0) as version, coalesce(sum(rows) filter (where resource = 'recruitment_brands'), 0)::bigint as rows
  from muster_ledger
  where resource in ('recruitment_brands', 'organizations')) books
where id = any ($1);

-- brands: get with related records, redacted
select id, books.version, left("recruitment_brands".record_json, -1) || ',"organization":' || coalesce((select related.record_json
    from "organizations" related
    where related.id = "recruitment_brands"."organization_id"), 'null') || '}' as record_json
from "recruitment_brands", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'recruitment_brands'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'organizations'), 0) as version, coalesce(sum(rows) filter (where resource = 'recruitment_brands'), 0)::bigint as rows
  from muster_ledger
  where resource in ('recruitment_brands', 'organizations')) books
where id = any ($1);

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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'career_sites' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'career_sites' and scope = '' and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: find by a word alone (prepared as "find by 1 career-sites")
with found as materialized (select id
  from (select id
    from "career_sites"
    where search_text like (select muster_like($1)) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "career_sites"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: find by slug, is_active, a word
with found as materialized (select id
  from (select id
    from "career_sites"
    where muster_key("slug") = muster_key($1) and "is_active" = $2::bigint and search_text like muster_like($3) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "career_sites"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: list by slug, is_active, a word while it changes all the time
select books.version, (select count(*)
  from "career_sites"
  where muster_key("slug") = muster_key($3) and "is_active" = $4::bigint and search_text like muster_like($5)), (select string_agg(record_json, ',')
  from (select record_json
    from "career_sites"
    where muster_key("slug") = muster_key($3) and "is_active" = $4::bigint and search_text like muster_like($5)
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books;

-- career-sites: get (prepared as "get career-sites")
select id, books.version, record_json
from "career_sites", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'career_sites') books
where id = any ($1);

-- career-sites: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "career_sites"."id" as "id", "career_sites"."name" as "name") record) as record_json
    from "career_sites"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'organization_teams' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'organization_teams' and scope = '' and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: find by a word alone (prepared as "find by 1 organization-teams")
with found as materialized (select id
  from (select id
    from "organization_teams"
    where search_text like (select muster_like($1)) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "organization_teams"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: find by country, organization_id, a word
with found as materialized (select id
  from (select id
    from "organization_teams"
    where muster_key("country") = muster_key($1) and "organization_id" = $2::bigint and search_text like muster_like($3) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "organization_teams"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: list by country, organization_id, a word while it changes all the time
select books.version, (select count(*)
  from "organization_teams"
  where muster_key("country") = muster_key($3) and "organization_id" = $4::bigint and search_text like muster_like($5)), (select string_agg(record_json, ',')
  from (select record_json
    from "organization_teams"
    where muster_key("country") = muster_key($3) and "organization_id" = $4::bigint and search_text like muster_like($5)
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books;

-- organization-teams: get (prepared as "get organization-teams")
select id, books.version, record_json
from "organization_teams", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'organization_teams') books
where id = any ($1);

-- organization-teams: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "organization_teams"."id" as "id", "organization_teams"."organization_id" as "organization_id") record) as record_json
    from "organization_teams"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from "organization_teams", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'organization_teams'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'organizations'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'departments'), 0) as version, coalesce(sum(rows) filter (where resource = 'organization_teams'), 0)::bigint as rows
  from muster_ledger
  where resource in ('organization_teams', 'organizations', 'departments')) books
where id = any ($1);

-- organization-teams: get with related records, redacted
select id, books.version, left("organization_teams".record_json, -1) || ',"organization":' || coalesce((select related.record_json
    from "organizations" related
    where related.id = "organization_teams"."organization_id"), 'null') || ',"parent":' || coalesce((select related.record_json
    from "organization_teams" related
    where related.id = "organization_teams"."parent_id"), 'null') || ',"department":' || coalesce((select related.record_json
    from "departments" related
    where related.id = "organization_teams"."department_id"), 'null') || '}' as record_json
from "organization_teams", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'organization_teams'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'organizations'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'departments'), 0) as version, coalesce(sum(rows) filter (where resource = 'organization_teams'), 0)::bigint as rows
  from muster_ledger
  where resource in ('organization_teams', 'organizations', 'departments')) books
where id = any ($1);

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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'job_distributions' and scope = ''), 0) = $4::bigint and not exists (select from muster_journal where resource = 'job_distributions' and scope = '' and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
    order by muster_key("status"), id limit $1) page), ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
    from pg_postmaster_start_time())::text) = $5::text and coalesce((select shifts
    from muster_shifts
    where resource = 'job_distributions' and scope = 'status=' || muster_key($6::text)), 0) = $4::bigint and not exists (select
  from muster_journal
  where resource = 'job_distributions' and scope = 'status=' || muster_key($6::text) and block < $2::bigint >> 8)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: find by a word alone (prepared as "find by 1 job-distributions")
with found as materialized (select id
  from (select id
    from "job_distributions"
    where search_text like (select muster_like($1)) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "job_distributions"
    where id = any (array(select id
        from found limit $2::bigint offset $3::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: find by locale, job_posting_id, a word
with found as materialized (select id
  from (select id
    from "job_distributions"
    where muster_key("locale") = muster_key($1) and "job_posting_id" = $2::bigint and search_text like muster_like($3) limit 200001) unsorted
  order by id) select books.version, books.rows, (select string_agg(id::text, ',')
  from found), (select string_agg(record_json, ',')
  from (select record_json
    from "job_distributions"
    where id = any (array(select id
        from found limit $4::bigint offset $5::bigint))
    order by id) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: list by locale, job_posting_id, a word while it changes all the time
select books.version, (select count(*)
  from "job_distributions"
  where muster_key("locale") = muster_key($3) and "job_posting_id" = $4::bigint and search_text like muster_like($5)), (select string_agg(record_json, ',')
  from (select record_json
    from "job_distributions"
    where muster_key("locale") = muster_key($3) and "job_posting_id" = $4::bigint and search_text like muster_like($5)
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books;

-- job-distributions: get (prepared as "get job-distributions")
select id, books.version, record_json
from "job_distributions", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
  from muster_ledger
  where resource = 'job_distributions') books
where id = any ($1);

-- job-distributions: list of two fields
select books.version, books.rows, (select string_agg(record_json, ',')
  from (select (select row_to_json(record)::text
      from (select "job_distributions"."id" as "id", "job_distributions"."job_posting_id" as "job_posting_id") record) as record_json
    from "job_distributions"
    order by id limit $1 offset $2) page)
from (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes), 0) as version, coalesce(sum(rows), 0)::bigint as rows
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
from "job_distributions", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'job_distributions'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'job_openings'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'career_sites'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'recruitment_brands'), 0) as version, coalesce(sum(rows) filter (where resource = 'job_distributions'), 0)::bigint as rows
  from muster_ledger
  where resource in ('job_distributions', 'job_openings', 'career_sites', 'recruitment_brands')) books
where id = any ($1);

-- job-distributions: get with related records, redacted
select id, books.version, left("job_distributions".record_json, -1) || ',"job":' || coalesce((select related.record_json
    from "job_openings" related
    where related.id = "job_distributions"."job_posting_id"), 'null') || ',"career_site":' || coalesce((select related.record_json
    from "career_sites" related
    where related.id = "job_distributions"."career_site_id"), 'null') || ',"brand":' || coalesce((select related.record_json
    from "recruitment_brands" related
    where related.id = "job_distributions"."brand_id"), 'null') || '}' as record_json
from "job_distributions", (select ('muster_ledger'::regclass::oid::text || '.' || extract(epoch
      from pg_postmaster_start_time())::text) || '.' || coalesce(sum(changes) filter (where resource = 'job_distributions'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'job_openings'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'career_sites'), 0) || '.' || coalesce(sum(changes) filter (where resource = 'recruitment_brands'), 0) as version, coalesce(sum(rows) filter (where resource = 'job_distributions'), 0)::bigint as rows
  from muster_ledger
  where resource in ('job_distributions', 'job_openings', 'career_sites', 'recruitment_brands')) books
where id = any ($1);

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
