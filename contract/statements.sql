-- Every statement the resources cause, as the service sends it; only the line breaks are added here.
-- Written by "npm run generate".

-- employees: list (prepared as "list employees")
select counted.total,
  page."id" as "id",
  page."code" as "code",
  page."first_name" as "first_name",
  page."last_name" as "last_name",
  page."email" as "email",
  page."dept_id" as "dept_id",
  page."designation" as "designation",
  page."manager_id" as "manager_id",
  page."branch" as "branch",
  page."status" as "status",
  to_char(page."date_of_joining", 'YYYY-MM-DD') as "date_of_joining",
  page."gender" as "gender",
  page."base_salary" as "base_salary",
  page."candidate_id" as "candidate_id",
  page."employment_type" as "employment_type",
  to_char(page."probation_end", 'YYYY-MM-DD') as "probation_end",
  to_char(page."termination_date", 'YYYY-MM-DD') as "termination_date",
  page."alumni" as "alumni",
  null as "password_hash"
from (select count(*) as total
  from "employees") counted
left join (select "id", "code", "first_name", "last_name", "email", "dept_id", "designation", "manager_id", "branch", "status", "date_of_joining", "gender", "base_salary", "candidate_id", "employment_type", "probation_end", "termination_date", "alumni"
  from "employees"
  order by id limit $1 offset $2) page on true
order by page.id;

-- employees: list by code, dept_id, a word
select counted.total,
  page."id" as "id",
  page."code" as "code",
  page."first_name" as "first_name",
  page."last_name" as "last_name",
  page."email" as "email",
  page."dept_id" as "dept_id",
  page."designation" as "designation",
  page."manager_id" as "manager_id",
  page."branch" as "branch",
  page."status" as "status",
  to_char(page."date_of_joining", 'YYYY-MM-DD') as "date_of_joining",
  page."gender" as "gender",
  page."base_salary" as "base_salary",
  page."candidate_id" as "candidate_id",
  page."employment_type" as "employment_type",
  to_char(page."probation_end", 'YYYY-MM-DD') as "probation_end",
  to_char(page."termination_date", 'YYYY-MM-DD') as "termination_date",
  page."alumni" as "alumni",
  null as "password_hash"
from (select count(*) as total
  from "employees"
  where muster_key("code") = muster_key($3) and "dept_id" = $4::bigint and search_text like muster_like($5)) counted
left join (select "id", "code", "first_name", "last_name", "email", "dept_id", "designation", "manager_id", "branch", "status", "date_of_joining", "gender", "base_salary", "candidate_id", "employment_type", "probation_end", "termination_date", "alumni"
  from "employees"
  where muster_key("code") = muster_key($3) and "dept_id" = $4::bigint and search_text like muster_like($5)
  order by id limit $1 offset $2) page on true
order by page.id;

-- employees: list by either code
select counted.total,
  page."id" as "id",
  page."code" as "code",
  page."first_name" as "first_name",
  page."last_name" as "last_name",
  page."email" as "email",
  page."dept_id" as "dept_id",
  page."designation" as "designation",
  page."manager_id" as "manager_id",
  page."branch" as "branch",
  page."status" as "status",
  to_char(page."date_of_joining", 'YYYY-MM-DD') as "date_of_joining",
  page."gender" as "gender",
  page."base_salary" as "base_salary",
  page."candidate_id" as "candidate_id",
  page."employment_type" as "employment_type",
  to_char(page."probation_end", 'YYYY-MM-DD') as "probation_end",
  to_char(page."termination_date", 'YYYY-MM-DD') as "termination_date",
  page."alumni" as "alumni",
  null as "password_hash"
from (select count(*) as total
  from "employees"
  where muster_key("code") in (muster_key($3), muster_key($4))) counted
left join (select "id", "code", "first_name", "last_name", "email", "dept_id", "designation", "manager_id", "branch", "status", "date_of_joining", "gender", "base_salary", "candidate_id", "employment_type", "probation_end", "termination_date", "alumni"
  from "employees"
  where muster_key("code") in (muster_key($3), muster_key($4))
  order by id limit $1 offset $2) page on true
order by page.id;

-- employees: get (prepared as "get employees")
select found."id" as "id",
  found."code" as "code",
  found."first_name" as "first_name",
  found."last_name" as "last_name",
  found."email" as "email",
  found."dept_id" as "dept_id",
  found."designation" as "designation",
  found."manager_id" as "manager_id",
  found."branch" as "branch",
  found."status" as "status",
  to_char(found."date_of_joining", 'YYYY-MM-DD') as "date_of_joining",
  found."gender" as "gender",
  found."base_salary" as "base_salary",
  found."candidate_id" as "candidate_id",
  found."employment_type" as "employment_type",
  to_char(found."probation_end", 'YYYY-MM-DD') as "probation_end",
  to_char(found."termination_date", 'YYYY-MM-DD') as "termination_date",
  found."alumni" as "alumni",
  null as "password_hash"
from "employees" found
where id = $1;

-- departments: list (prepared as "list departments")
select counted.total,
  page."id" as "id",
  page."name" as "name"
from (select count(*) as total
  from "departments") counted
left join (select "id", "name"
  from "departments"
  order by id limit $1 offset $2) page on true
order by page.id;

-- departments: list by a word
select counted.total,
  page."id" as "id",
  page."name" as "name"
from (select count(*) as total
  from "departments"
  where search_text like muster_like($3)) counted
left join (select "id", "name"
  from "departments"
  where search_text like muster_like($3)
  order by id limit $1 offset $2) page on true
order by page.id;

-- departments: get (prepared as "get departments")
select found."id" as "id",
  found."name" as "name"
from "departments" found
where id = $1;

-- leave: list (prepared as "list leave")
select counted.total,
  page."id" as "id",
  page."employee_id" as "employee_id",
  page."leave_type" as "leave_type",
  to_char(page."from_date", 'YYYY-MM-DD') as "from_date",
  to_char(page."to_date", 'YYYY-MM-DD') as "to_date",
  page."days" as "days",
  page."status" as "status",
  page."reason" as "reason",
  to_char(page."applied_on", 'YYYY-MM-DD') as "applied_on"
from (select count(*) as total
  from "leave_requests") counted
left join (select "id", "employee_id", "leave_type", "from_date", "to_date", "days", "status", "reason", "applied_on"
  from "leave_requests"
  order by id limit $1 offset $2) page on true
order by page.id;

-- leave: list by leave_type, employee_id, a word
select counted.total,
  page."id" as "id",
  page."employee_id" as "employee_id",
  page."leave_type" as "leave_type",
  to_char(page."from_date", 'YYYY-MM-DD') as "from_date",
  to_char(page."to_date", 'YYYY-MM-DD') as "to_date",
  page."days" as "days",
  page."status" as "status",
  page."reason" as "reason",
  to_char(page."applied_on", 'YYYY-MM-DD') as "applied_on"
from (select count(*) as total
  from "leave_requests"
  where muster_key("leave_type") = muster_key($3) and "employee_id" = $4::bigint and search_text like muster_like($5)) counted
left join (select "id", "employee_id", "leave_type", "from_date", "to_date", "days", "status", "reason", "applied_on"
  from "leave_requests"
  where muster_key("leave_type") = muster_key($3) and "employee_id" = $4::bigint and search_text like muster_like($5)
  order by id limit $1 offset $2) page on true
order by page.id;

-- leave: list by either leave_type
select counted.total,
  page."id" as "id",
  page."employee_id" as "employee_id",
  page."leave_type" as "leave_type",
  to_char(page."from_date", 'YYYY-MM-DD') as "from_date",
  to_char(page."to_date", 'YYYY-MM-DD') as "to_date",
  page."days" as "days",
  page."status" as "status",
  page."reason" as "reason",
  to_char(page."applied_on", 'YYYY-MM-DD') as "applied_on"
from (select count(*) as total
  from "leave_requests"
  where muster_key("leave_type") in (muster_key($3), muster_key($4))) counted
left join (select "id", "employee_id", "leave_type", "from_date", "to_date", "days", "status", "reason", "applied_on"
  from "leave_requests"
  where muster_key("leave_type") in (muster_key($3), muster_key($4))
  order by id limit $1 offset $2) page on true
order by page.id;

-- leave: get (prepared as "get leave")
select found."id" as "id",
  found."employee_id" as "employee_id",
  found."leave_type" as "leave_type",
  to_char(found."from_date", 'YYYY-MM-DD') as "from_date",
  to_char(found."to_date", 'YYYY-MM-DD') as "to_date",
  found."days" as "days",
  found."status" as "status",
  found."reason" as "reason",
  to_char(found."applied_on", 'YYYY-MM-DD') as "applied_on"
from "leave_requests" found
where id = $1;

-- leave: create (prepared as "create leave")
insert into "leave_requests" as made ("employee_id", "leave_type", "from_date", "to_date", "days", "status", "reason", "applied_on")
values ($1::bigint, $2::text, $3::date, $4::date, $5::double precision, $6::text, $7::text, case when $9::boolean then (now() at time zone 'utc')::date else $8::date end)
returning made."id" as "id",
  made."employee_id" as "employee_id",
  made."leave_type" as "leave_type",
  to_char(made."from_date", 'YYYY-MM-DD') as "from_date",
  to_char(made."to_date", 'YYYY-MM-DD') as "to_date",
  made."days" as "days",
  made."status" as "status",
  made."reason" as "reason",
  to_char(made."applied_on", 'YYYY-MM-DD') as "applied_on";

-- leave: what stands against a create
select not exists (select from "employees" where id = $1::bigint);

-- attendance: list (prepared as "list attendance")
select counted.total,
  page."id" as "id",
  page."employee_id" as "employee_id",
  to_char(page."att_date", 'YYYY-MM-DD') as "att_date",
  page."status" as "status",
  page."hours" as "hours"
from (select count(*) as total
  from "attendance") counted
left join (select "id", "employee_id", "att_date", "status", "hours"
  from "attendance"
  order by id limit $1 offset $2) page on true
order by page.id;

-- attendance: list by status, employee_id, a word
select counted.total,
  page."id" as "id",
  page."employee_id" as "employee_id",
  to_char(page."att_date", 'YYYY-MM-DD') as "att_date",
  page."status" as "status",
  page."hours" as "hours"
from (select count(*) as total
  from "attendance"
  where muster_key("status") = muster_key($3) and "employee_id" = $4::bigint and search_text like muster_like($5)) counted
left join (select "id", "employee_id", "att_date", "status", "hours"
  from "attendance"
  where muster_key("status") = muster_key($3) and "employee_id" = $4::bigint and search_text like muster_like($5)
  order by id limit $1 offset $2) page on true
order by page.id;

-- attendance: list by either status
select counted.total,
  page."id" as "id",
  page."employee_id" as "employee_id",
  to_char(page."att_date", 'YYYY-MM-DD') as "att_date",
  page."status" as "status",
  page."hours" as "hours"
from (select count(*) as total
  from "attendance"
  where muster_key("status") in (muster_key($3), muster_key($4))) counted
left join (select "id", "employee_id", "att_date", "status", "hours"
  from "attendance"
  where muster_key("status") in (muster_key($3), muster_key($4))
  order by id limit $1 offset $2) page on true
order by page.id;

-- attendance: get (prepared as "get attendance")
select found."id" as "id",
  found."employee_id" as "employee_id",
  to_char(found."att_date", 'YYYY-MM-DD') as "att_date",
  found."status" as "status",
  found."hours" as "hours"
from "attendance" found
where id = $1;

-- jobs: list (prepared as "list jobs")
select counted.total,
  page."id" as "id",
  page."code" as "code",
  page."title" as "title",
  page."dept_id" as "dept_id",
  page."hiring_manager_id" as "hiring_manager_id",
  page."headcount" as "headcount",
  page."filled" as "filled",
  page."comp_min" as "comp_min",
  page."comp_max" as "comp_max",
  page."currency" as "currency",
  page."location" as "location",
  page."remote_policy" as "remote_policy",
  page."employment_type" as "employment_type",
  page."status" as "status",
  page."description" as "description",
  page."requirements" as "requirements",
  page."stages_json" as "stages_json",
  to_char(page."opened_on", 'YYYY-MM-DD') as "opened_on",
  to_char(page."target_date", 'YYYY-MM-DD') as "target_date",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from (select count(*) as total
  from "job_openings") counted
left join (select "id", "code", "title", "dept_id", "hiring_manager_id", "headcount", "filled", "comp_min", "comp_max", "currency", "location", "remote_policy", "employment_type", "status", "description", "requirements", "stages_json", "opened_on", "target_date", "created"
  from "job_openings"
  order by id limit $1 offset $2) page on true
order by page.id;

-- jobs: list by code, dept_id, a word
select counted.total,
  page."id" as "id",
  page."code" as "code",
  page."title" as "title",
  page."dept_id" as "dept_id",
  page."hiring_manager_id" as "hiring_manager_id",
  page."headcount" as "headcount",
  page."filled" as "filled",
  page."comp_min" as "comp_min",
  page."comp_max" as "comp_max",
  page."currency" as "currency",
  page."location" as "location",
  page."remote_policy" as "remote_policy",
  page."employment_type" as "employment_type",
  page."status" as "status",
  page."description" as "description",
  page."requirements" as "requirements",
  page."stages_json" as "stages_json",
  to_char(page."opened_on", 'YYYY-MM-DD') as "opened_on",
  to_char(page."target_date", 'YYYY-MM-DD') as "target_date",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from (select count(*) as total
  from "job_openings"
  where muster_key("code") = muster_key($3) and "dept_id" = $4::bigint and search_text like muster_like($5)) counted
left join (select "id", "code", "title", "dept_id", "hiring_manager_id", "headcount", "filled", "comp_min", "comp_max", "currency", "location", "remote_policy", "employment_type", "status", "description", "requirements", "stages_json", "opened_on", "target_date", "created"
  from "job_openings"
  where muster_key("code") = muster_key($3) and "dept_id" = $4::bigint and search_text like muster_like($5)
  order by id limit $1 offset $2) page on true
order by page.id;

-- jobs: list by either code
select counted.total,
  page."id" as "id",
  page."code" as "code",
  page."title" as "title",
  page."dept_id" as "dept_id",
  page."hiring_manager_id" as "hiring_manager_id",
  page."headcount" as "headcount",
  page."filled" as "filled",
  page."comp_min" as "comp_min",
  page."comp_max" as "comp_max",
  page."currency" as "currency",
  page."location" as "location",
  page."remote_policy" as "remote_policy",
  page."employment_type" as "employment_type",
  page."status" as "status",
  page."description" as "description",
  page."requirements" as "requirements",
  page."stages_json" as "stages_json",
  to_char(page."opened_on", 'YYYY-MM-DD') as "opened_on",
  to_char(page."target_date", 'YYYY-MM-DD') as "target_date",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from (select count(*) as total
  from "job_openings"
  where muster_key("code") in (muster_key($3), muster_key($4))) counted
left join (select "id", "code", "title", "dept_id", "hiring_manager_id", "headcount", "filled", "comp_min", "comp_max", "currency", "location", "remote_policy", "employment_type", "status", "description", "requirements", "stages_json", "opened_on", "target_date", "created"
  from "job_openings"
  where muster_key("code") in (muster_key($3), muster_key($4))
  order by id limit $1 offset $2) page on true
order by page.id;

-- jobs: get (prepared as "get jobs")
select found."id" as "id",
  found."code" as "code",
  found."title" as "title",
  found."dept_id" as "dept_id",
  found."hiring_manager_id" as "hiring_manager_id",
  found."headcount" as "headcount",
  found."filled" as "filled",
  found."comp_min" as "comp_min",
  found."comp_max" as "comp_max",
  found."currency" as "currency",
  found."location" as "location",
  found."remote_policy" as "remote_policy",
  found."employment_type" as "employment_type",
  found."status" as "status",
  found."description" as "description",
  found."requirements" as "requirements",
  found."stages_json" as "stages_json",
  to_char(found."opened_on", 'YYYY-MM-DD') as "opened_on",
  to_char(found."target_date", 'YYYY-MM-DD') as "target_date",
  rtrim(rtrim(to_char(found."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from "job_openings" found
where id = $1;

-- candidates: list (prepared as "list candidates")
select counted.total,
  page."id" as "id",
  page."first_name" as "first_name",
  page."last_name" as "last_name",
  page."email" as "email",
  page."phone" as "phone",
  page."location" as "location",
  page."headline" as "headline",
  page."current_title" as "current_title",
  page."current_employer" as "current_employer",
  page."years_experience" as "years_experience",
  page."linkedin_url" as "linkedin_url",
  page."source" as "source",
  page."referred_by" as "referred_by",
  rtrim(rtrim(to_char(page."consent_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "consent_at",
  page."status" as "status",
  page."notes" as "notes",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from (select count(*) as total
  from "candidates") counted
left join (select "id", "first_name", "last_name", "email", "phone", "location", "headline", "current_title", "current_employer", "years_experience", "linkedin_url", "source", "referred_by", "consent_at", "status", "notes", "created"
  from "candidates"
  order by id limit $1 offset $2) page on true
order by page.id;

-- candidates: list by email, referred_by, a word
select counted.total,
  page."id" as "id",
  page."first_name" as "first_name",
  page."last_name" as "last_name",
  page."email" as "email",
  page."phone" as "phone",
  page."location" as "location",
  page."headline" as "headline",
  page."current_title" as "current_title",
  page."current_employer" as "current_employer",
  page."years_experience" as "years_experience",
  page."linkedin_url" as "linkedin_url",
  page."source" as "source",
  page."referred_by" as "referred_by",
  rtrim(rtrim(to_char(page."consent_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "consent_at",
  page."status" as "status",
  page."notes" as "notes",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from (select count(*) as total
  from "candidates"
  where muster_key("email") = muster_key($3) and "referred_by" = $4::bigint and search_text like muster_like($5)) counted
left join (select "id", "first_name", "last_name", "email", "phone", "location", "headline", "current_title", "current_employer", "years_experience", "linkedin_url", "source", "referred_by", "consent_at", "status", "notes", "created"
  from "candidates"
  where muster_key("email") = muster_key($3) and "referred_by" = $4::bigint and search_text like muster_like($5)
  order by id limit $1 offset $2) page on true
order by page.id;

-- candidates: list by either email
select counted.total,
  page."id" as "id",
  page."first_name" as "first_name",
  page."last_name" as "last_name",
  page."email" as "email",
  page."phone" as "phone",
  page."location" as "location",
  page."headline" as "headline",
  page."current_title" as "current_title",
  page."current_employer" as "current_employer",
  page."years_experience" as "years_experience",
  page."linkedin_url" as "linkedin_url",
  page."source" as "source",
  page."referred_by" as "referred_by",
  rtrim(rtrim(to_char(page."consent_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "consent_at",
  page."status" as "status",
  page."notes" as "notes",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from (select count(*) as total
  from "candidates"
  where muster_key("email") in (muster_key($3), muster_key($4))) counted
left join (select "id", "first_name", "last_name", "email", "phone", "location", "headline", "current_title", "current_employer", "years_experience", "linkedin_url", "source", "referred_by", "consent_at", "status", "notes", "created"
  from "candidates"
  where muster_key("email") in (muster_key($3), muster_key($4))
  order by id limit $1 offset $2) page on true
order by page.id;

-- candidates: get (prepared as "get candidates")
select found."id" as "id",
  found."first_name" as "first_name",
  found."last_name" as "last_name",
  found."email" as "email",
  found."phone" as "phone",
  found."location" as "location",
  found."headline" as "headline",
  found."current_title" as "current_title",
  found."current_employer" as "current_employer",
  found."years_experience" as "years_experience",
  found."linkedin_url" as "linkedin_url",
  found."source" as "source",
  found."referred_by" as "referred_by",
  rtrim(rtrim(to_char(found."consent_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "consent_at",
  found."status" as "status",
  found."notes" as "notes",
  rtrim(rtrim(to_char(found."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from "candidates" found
where id = $1;

-- applications: list (prepared as "list applications")
select counted.total,
  page."id" as "id",
  page."candidate_id" as "candidate_id",
  page."job_id" as "job_id",
  page."stage" as "stage",
  page."status" as "status",
  to_char(page."applied_on", 'YYYY-MM-DD') as "applied_on",
  to_char(page."stage_entered_on", 'YYYY-MM-DD') as "stage_entered_on",
  page."rating" as "rating",
  page."rejection_reason" as "rejection_reason",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from (select count(*) as total
  from "applications") counted
left join (select "id", "candidate_id", "job_id", "stage", "status", "applied_on", "stage_entered_on", "rating", "rejection_reason", "created"
  from "applications"
  order by id limit $1 offset $2) page on true
order by page.id;

-- applications: list by stage, candidate_id, a word
select counted.total,
  page."id" as "id",
  page."candidate_id" as "candidate_id",
  page."job_id" as "job_id",
  page."stage" as "stage",
  page."status" as "status",
  to_char(page."applied_on", 'YYYY-MM-DD') as "applied_on",
  to_char(page."stage_entered_on", 'YYYY-MM-DD') as "stage_entered_on",
  page."rating" as "rating",
  page."rejection_reason" as "rejection_reason",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from (select count(*) as total
  from "applications"
  where muster_key("stage") = muster_key($3) and "candidate_id" = $4::bigint and search_text like muster_like($5)) counted
left join (select "id", "candidate_id", "job_id", "stage", "status", "applied_on", "stage_entered_on", "rating", "rejection_reason", "created"
  from "applications"
  where muster_key("stage") = muster_key($3) and "candidate_id" = $4::bigint and search_text like muster_like($5)
  order by id limit $1 offset $2) page on true
order by page.id;

-- applications: list by either stage
select counted.total,
  page."id" as "id",
  page."candidate_id" as "candidate_id",
  page."job_id" as "job_id",
  page."stage" as "stage",
  page."status" as "status",
  to_char(page."applied_on", 'YYYY-MM-DD') as "applied_on",
  to_char(page."stage_entered_on", 'YYYY-MM-DD') as "stage_entered_on",
  page."rating" as "rating",
  page."rejection_reason" as "rejection_reason",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from (select count(*) as total
  from "applications"
  where muster_key("stage") in (muster_key($3), muster_key($4))) counted
left join (select "id", "candidate_id", "job_id", "stage", "status", "applied_on", "stage_entered_on", "rating", "rejection_reason", "created"
  from "applications"
  where muster_key("stage") in (muster_key($3), muster_key($4))
  order by id limit $1 offset $2) page on true
order by page.id;

-- applications: get (prepared as "get applications")
select found."id" as "id",
  found."candidate_id" as "candidate_id",
  found."job_id" as "job_id",
  found."stage" as "stage",
  found."status" as "status",
  to_char(found."applied_on", 'YYYY-MM-DD') as "applied_on",
  to_char(found."stage_entered_on", 'YYYY-MM-DD') as "stage_entered_on",
  found."rating" as "rating",
  found."rejection_reason" as "rejection_reason",
  rtrim(rtrim(to_char(found."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from "applications" found
where id = $1;

-- applications: create (prepared as "create applications")
insert into "applications" as made ("candidate_id", "job_id", "stage", "status", "applied_on", "stage_entered_on", "rating", "rejection_reason")
values ($1::bigint, $2::bigint, $3::text, $4::text, case when $6::boolean then (now() at time zone 'utc')::date else $5::date end, case when $8::boolean then (now() at time zone 'utc')::date else $7::date end, $9::double precision, $10::text)
returning made."id" as "id",
  made."candidate_id" as "candidate_id",
  made."job_id" as "job_id",
  made."stage" as "stage",
  made."status" as "status",
  to_char(made."applied_on", 'YYYY-MM-DD') as "applied_on",
  to_char(made."stage_entered_on", 'YYYY-MM-DD') as "stage_entered_on",
  made."rating" as "rating",
  made."rejection_reason" as "rejection_reason",
  rtrim(rtrim(to_char(made."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created";

-- applications: what stands against a create
select not exists (select from "candidates" where id = $1::bigint),
  not exists (select from "job_openings" where id = $2::bigint);

-- organizations: list (prepared as "list organizations")
select counted.total,
  page."id" as "id",
  page."name" as "name",
  page."slug" as "slug",
  page."default_locale" as "default_locale",
  page."timezone" as "timezone",
  page."settings_json" as "settings_json",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from (select count(*) as total
  from "organizations") counted
left join (select "id", "name", "slug", "default_locale", "timezone", "settings_json", "created"
  from "organizations"
  order by id limit $1 offset $2) page on true
order by page.id;

-- organizations: list by slug, a word
select counted.total,
  page."id" as "id",
  page."name" as "name",
  page."slug" as "slug",
  page."default_locale" as "default_locale",
  page."timezone" as "timezone",
  page."settings_json" as "settings_json",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from (select count(*) as total
  from "organizations"
  where muster_key("slug") = muster_key($3) and search_text like muster_like($4)) counted
left join (select "id", "name", "slug", "default_locale", "timezone", "settings_json", "created"
  from "organizations"
  where muster_key("slug") = muster_key($3) and search_text like muster_like($4)
  order by id limit $1 offset $2) page on true
order by page.id;

-- organizations: list by either slug
select counted.total,
  page."id" as "id",
  page."name" as "name",
  page."slug" as "slug",
  page."default_locale" as "default_locale",
  page."timezone" as "timezone",
  page."settings_json" as "settings_json",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from (select count(*) as total
  from "organizations"
  where muster_key("slug") in (muster_key($3), muster_key($4))) counted
left join (select "id", "name", "slug", "default_locale", "timezone", "settings_json", "created"
  from "organizations"
  where muster_key("slug") in (muster_key($3), muster_key($4))
  order by id limit $1 offset $2) page on true
order by page.id;

-- organizations: get (prepared as "get organizations")
select found."id" as "id",
  found."name" as "name",
  found."slug" as "slug",
  found."default_locale" as "default_locale",
  found."timezone" as "timezone",
  found."settings_json" as "settings_json",
  rtrim(rtrim(to_char(found."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created"
from "organizations" found
where id = $1;

-- organizations: create (prepared as "create organizations")
insert into "organizations" as made ("name", "slug", "default_locale", "timezone", "settings_json")
values ($1::text, $2::text, $3::text, $4::text, $5::text)
returning made."id" as "id",
  made."name" as "name",
  made."slug" as "slug",
  made."default_locale" as "default_locale",
  made."timezone" as "timezone",
  made."settings_json" as "settings_json",
  rtrim(rtrim(to_char(made."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created";

-- organizations: what stands against a create
select exists (select from "organizations" where "slug" = $1);

-- brands: list (prepared as "list brands")
select counted.total,
  page."id" as "id",
  page."organization_id" as "organization_id",
  page."name" as "name",
  page."slug" as "slug",
  page."logo_url" as "logo_url",
  page."favicon_url" as "favicon_url",
  page."primary_color" as "primary_color",
  page."accent_color" as "accent_color",
  page."custom_domain" as "custom_domain",
  page."settings_json" as "settings_json",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created",
  rtrim(rtrim(to_char(page."updated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "updated"
from (select count(*) as total
  from "recruitment_brands") counted
left join (select "id", "organization_id", "name", "slug", "logo_url", "favicon_url", "primary_color", "accent_color", "custom_domain", "settings_json", "created", "updated"
  from "recruitment_brands"
  order by id limit $1 offset $2) page on true
order by page.id;

-- brands: list by slug, organization_id, a word
select counted.total,
  page."id" as "id",
  page."organization_id" as "organization_id",
  page."name" as "name",
  page."slug" as "slug",
  page."logo_url" as "logo_url",
  page."favicon_url" as "favicon_url",
  page."primary_color" as "primary_color",
  page."accent_color" as "accent_color",
  page."custom_domain" as "custom_domain",
  page."settings_json" as "settings_json",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created",
  rtrim(rtrim(to_char(page."updated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "updated"
from (select count(*) as total
  from "recruitment_brands"
  where muster_key("slug") = muster_key($3) and "organization_id" = $4::bigint and search_text like muster_like($5)) counted
left join (select "id", "organization_id", "name", "slug", "logo_url", "favicon_url", "primary_color", "accent_color", "custom_domain", "settings_json", "created", "updated"
  from "recruitment_brands"
  where muster_key("slug") = muster_key($3) and "organization_id" = $4::bigint and search_text like muster_like($5)
  order by id limit $1 offset $2) page on true
order by page.id;

-- brands: list by either slug
select counted.total,
  page."id" as "id",
  page."organization_id" as "organization_id",
  page."name" as "name",
  page."slug" as "slug",
  page."logo_url" as "logo_url",
  page."favicon_url" as "favicon_url",
  page."primary_color" as "primary_color",
  page."accent_color" as "accent_color",
  page."custom_domain" as "custom_domain",
  page."settings_json" as "settings_json",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created",
  rtrim(rtrim(to_char(page."updated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "updated"
from (select count(*) as total
  from "recruitment_brands"
  where muster_key("slug") in (muster_key($3), muster_key($4))) counted
left join (select "id", "organization_id", "name", "slug", "logo_url", "favicon_url", "primary_color", "accent_color", "custom_domain", "settings_json", "created", "updated"
  from "recruitment_brands"
  where muster_key("slug") in (muster_key($3), muster_key($4))
  order by id limit $1 offset $2) page on true
order by page.id;

-- brands: get (prepared as "get brands")
select found."id" as "id",
  found."organization_id" as "organization_id",
  found."name" as "name",
  found."slug" as "slug",
  found."logo_url" as "logo_url",
  found."favicon_url" as "favicon_url",
  found."primary_color" as "primary_color",
  found."accent_color" as "accent_color",
  found."custom_domain" as "custom_domain",
  found."settings_json" as "settings_json",
  rtrim(rtrim(to_char(found."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created",
  rtrim(rtrim(to_char(found."updated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "updated"
from "recruitment_brands" found
where id = $1;

-- brands: create (prepared as "create brands")
insert into "recruitment_brands" as made ("organization_id", "name", "slug", "logo_url", "favicon_url", "primary_color", "accent_color", "custom_domain", "settings_json")
values ($1::bigint, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text)
returning made."id" as "id",
  made."organization_id" as "organization_id",
  made."name" as "name",
  made."slug" as "slug",
  made."logo_url" as "logo_url",
  made."favicon_url" as "favicon_url",
  made."primary_color" as "primary_color",
  made."accent_color" as "accent_color",
  made."custom_domain" as "custom_domain",
  made."settings_json" as "settings_json",
  rtrim(rtrim(to_char(made."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created",
  rtrim(rtrim(to_char(made."updated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "updated";

-- brands: what stands against a create
select not exists (select from "organizations" where id = $1::bigint),
  exists (select from "recruitment_brands" where "organization_id" = $2 and "slug" = $3);

-- career-sites: list (prepared as "list career-sites")
select counted.total,
  page."id" as "id",
  page."name" as "name",
  page."slug" as "slug",
  page."headline" as "headline",
  page."introduction" as "introduction",
  page."brand_color" as "brand_color",
  page."accent_color" as "accent_color",
  page."logo_url" as "logo_url",
  page."privacy_policy_url" as "privacy_policy_url",
  page."custom_domain" as "custom_domain",
  page."is_active" as "is_active",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created",
  rtrim(rtrim(to_char(page."updated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "updated"
from (select count(*) as total
  from "career_sites") counted
left join (select "id", "name", "slug", "headline", "introduction", "brand_color", "accent_color", "logo_url", "privacy_policy_url", "custom_domain", "is_active", "created", "updated"
  from "career_sites"
  order by id limit $1 offset $2) page on true
order by page.id;

-- career-sites: list by slug, is_active, a word
select counted.total,
  page."id" as "id",
  page."name" as "name",
  page."slug" as "slug",
  page."headline" as "headline",
  page."introduction" as "introduction",
  page."brand_color" as "brand_color",
  page."accent_color" as "accent_color",
  page."logo_url" as "logo_url",
  page."privacy_policy_url" as "privacy_policy_url",
  page."custom_domain" as "custom_domain",
  page."is_active" as "is_active",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created",
  rtrim(rtrim(to_char(page."updated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "updated"
from (select count(*) as total
  from "career_sites"
  where muster_key("slug") = muster_key($3) and "is_active" = $4::bigint and search_text like muster_like($5)) counted
left join (select "id", "name", "slug", "headline", "introduction", "brand_color", "accent_color", "logo_url", "privacy_policy_url", "custom_domain", "is_active", "created", "updated"
  from "career_sites"
  where muster_key("slug") = muster_key($3) and "is_active" = $4::bigint and search_text like muster_like($5)
  order by id limit $1 offset $2) page on true
order by page.id;

-- career-sites: list by either slug
select counted.total,
  page."id" as "id",
  page."name" as "name",
  page."slug" as "slug",
  page."headline" as "headline",
  page."introduction" as "introduction",
  page."brand_color" as "brand_color",
  page."accent_color" as "accent_color",
  page."logo_url" as "logo_url",
  page."privacy_policy_url" as "privacy_policy_url",
  page."custom_domain" as "custom_domain",
  page."is_active" as "is_active",
  rtrim(rtrim(to_char(page."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created",
  rtrim(rtrim(to_char(page."updated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "updated"
from (select count(*) as total
  from "career_sites"
  where muster_key("slug") in (muster_key($3), muster_key($4))) counted
left join (select "id", "name", "slug", "headline", "introduction", "brand_color", "accent_color", "logo_url", "privacy_policy_url", "custom_domain", "is_active", "created", "updated"
  from "career_sites"
  where muster_key("slug") in (muster_key($3), muster_key($4))
  order by id limit $1 offset $2) page on true
order by page.id;

-- career-sites: get (prepared as "get career-sites")
select found."id" as "id",
  found."name" as "name",
  found."slug" as "slug",
  found."headline" as "headline",
  found."introduction" as "introduction",
  found."brand_color" as "brand_color",
  found."accent_color" as "accent_color",
  found."logo_url" as "logo_url",
  found."privacy_policy_url" as "privacy_policy_url",
  found."custom_domain" as "custom_domain",
  found."is_active" as "is_active",
  rtrim(rtrim(to_char(found."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created",
  rtrim(rtrim(to_char(found."updated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "updated"
from "career_sites" found
where id = $1;

-- career-sites: create (prepared as "create career-sites")
insert into "career_sites" as made ("name", "slug", "headline", "introduction", "brand_color", "accent_color", "logo_url", "privacy_policy_url", "is_active")
values ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::bigint)
returning made."id" as "id",
  made."name" as "name",
  made."slug" as "slug",
  made."headline" as "headline",
  made."introduction" as "introduction",
  made."brand_color" as "brand_color",
  made."accent_color" as "accent_color",
  made."logo_url" as "logo_url",
  made."privacy_policy_url" as "privacy_policy_url",
  made."custom_domain" as "custom_domain",
  made."is_active" as "is_active",
  rtrim(rtrim(to_char(made."created" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "created",
  rtrim(rtrim(to_char(made."updated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "updated";

-- career-sites: what stands against a create
select exists (select from "career_sites" where "slug" = $1);

-- organization-teams: list (prepared as "list organization-teams")
select counted.total,
  page."id" as "id",
  page."organization_id" as "organization_id",
  page."parent_id" as "parent_id",
  page."name" as "name",
  page."country" as "country",
  page."department_id" as "department_id",
  page."settings_json" as "settings_json"
from (select count(*) as total
  from "organization_teams") counted
left join (select "id", "organization_id", "parent_id", "name", "country", "department_id", "settings_json"
  from "organization_teams"
  order by id limit $1 offset $2) page on true
order by page.id;

-- organization-teams: list by country, organization_id, a word
select counted.total,
  page."id" as "id",
  page."organization_id" as "organization_id",
  page."parent_id" as "parent_id",
  page."name" as "name",
  page."country" as "country",
  page."department_id" as "department_id",
  page."settings_json" as "settings_json"
from (select count(*) as total
  from "organization_teams"
  where muster_key("country") = muster_key($3) and "organization_id" = $4::bigint and search_text like muster_like($5)) counted
left join (select "id", "organization_id", "parent_id", "name", "country", "department_id", "settings_json"
  from "organization_teams"
  where muster_key("country") = muster_key($3) and "organization_id" = $4::bigint and search_text like muster_like($5)
  order by id limit $1 offset $2) page on true
order by page.id;

-- organization-teams: list by either country
select counted.total,
  page."id" as "id",
  page."organization_id" as "organization_id",
  page."parent_id" as "parent_id",
  page."name" as "name",
  page."country" as "country",
  page."department_id" as "department_id",
  page."settings_json" as "settings_json"
from (select count(*) as total
  from "organization_teams"
  where muster_key("country") in (muster_key($3), muster_key($4))) counted
left join (select "id", "organization_id", "parent_id", "name", "country", "department_id", "settings_json"
  from "organization_teams"
  where muster_key("country") in (muster_key($3), muster_key($4))
  order by id limit $1 offset $2) page on true
order by page.id;

-- organization-teams: get (prepared as "get organization-teams")
select found."id" as "id",
  found."organization_id" as "organization_id",
  found."parent_id" as "parent_id",
  found."name" as "name",
  found."country" as "country",
  found."department_id" as "department_id",
  found."settings_json" as "settings_json"
from "organization_teams" found
where id = $1;

-- organization-teams: create (prepared as "create organization-teams")
insert into "organization_teams" as made ("organization_id", "parent_id", "name", "country", "department_id", "settings_json")
values ($1::bigint, $2::bigint, $3::text, $4::text, $5::bigint, $6::text)
returning made."id" as "id",
  made."organization_id" as "organization_id",
  made."parent_id" as "parent_id",
  made."name" as "name",
  made."country" as "country",
  made."department_id" as "department_id",
  made."settings_json" as "settings_json";

-- organization-teams: what stands against a create
select not exists (select from "organizations" where id = $1::bigint),
  not exists (select from "organization_teams" where id = $2::bigint and "organization_id" = $3::bigint),
  not exists (select from "departments" where id = $4::bigint);

-- job-distributions: list (prepared as "list job-distributions")
select counted.total,
  page."id" as "id",
  page."job_posting_id" as "job_posting_id",
  page."career_site_id" as "career_site_id",
  page."brand_id" as "brand_id",
  page."locale" as "locale",
  page."slug" as "slug",
  page."status" as "status",
  rtrim(rtrim(to_char(page."published_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "published_at"
from (select count(*) as total
  from "job_distributions") counted
left join (select "id", "job_posting_id", "career_site_id", "brand_id", "locale", "slug", "status", "published_at"
  from "job_distributions"
  order by id limit $1 offset $2) page on true
order by page.id;

-- job-distributions: list by locale, job_posting_id, a word
select counted.total,
  page."id" as "id",
  page."job_posting_id" as "job_posting_id",
  page."career_site_id" as "career_site_id",
  page."brand_id" as "brand_id",
  page."locale" as "locale",
  page."slug" as "slug",
  page."status" as "status",
  rtrim(rtrim(to_char(page."published_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "published_at"
from (select count(*) as total
  from "job_distributions"
  where muster_key("locale") = muster_key($3) and "job_posting_id" = $4::bigint and search_text like muster_like($5)) counted
left join (select "id", "job_posting_id", "career_site_id", "brand_id", "locale", "slug", "status", "published_at"
  from "job_distributions"
  where muster_key("locale") = muster_key($3) and "job_posting_id" = $4::bigint and search_text like muster_like($5)
  order by id limit $1 offset $2) page on true
order by page.id;

-- job-distributions: list by either locale
select counted.total,
  page."id" as "id",
  page."job_posting_id" as "job_posting_id",
  page."career_site_id" as "career_site_id",
  page."brand_id" as "brand_id",
  page."locale" as "locale",
  page."slug" as "slug",
  page."status" as "status",
  rtrim(rtrim(to_char(page."published_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "published_at"
from (select count(*) as total
  from "job_distributions"
  where muster_key("locale") in (muster_key($3), muster_key($4))) counted
left join (select "id", "job_posting_id", "career_site_id", "brand_id", "locale", "slug", "status", "published_at"
  from "job_distributions"
  where muster_key("locale") in (muster_key($3), muster_key($4))
  order by id limit $1 offset $2) page on true
order by page.id;

-- job-distributions: get (prepared as "get job-distributions")
select found."id" as "id",
  found."job_posting_id" as "job_posting_id",
  found."career_site_id" as "career_site_id",
  found."brand_id" as "brand_id",
  found."locale" as "locale",
  found."slug" as "slug",
  found."status" as "status",
  rtrim(rtrim(to_char(found."published_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "published_at"
from "job_distributions" found
where id = $1;

-- job-distributions: create (prepared as "create job-distributions")
insert into "job_distributions" as made ("job_posting_id", "career_site_id", "brand_id", "locale", "slug", "status", "published_at")
values ($1::bigint, $2::bigint, $3::bigint, $4::text, $5::text, $6::text, $7::timestamptz)
returning made."id" as "id",
  made."job_posting_id" as "job_posting_id",
  made."career_site_id" as "career_site_id",
  made."brand_id" as "brand_id",
  made."locale" as "locale",
  made."slug" as "slug",
  made."status" as "status",
  rtrim(rtrim(to_char(made."published_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z' as "published_at";

-- job-distributions: what stands against a create
select not exists (select from "job_openings" where id = $1::bigint),
  not exists (select from "career_sites" where id = $2::bigint),
  not exists (select from "recruitment_brands" where id = $3::bigint),
  exists (select from "job_distributions" where "career_site_id" = $4 and "locale" = $5 and "slug" = $6);
