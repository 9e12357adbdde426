-- Ranges and orders: an index behind every date, time, number and name that a list can be narrowed or sorted by and that
-- has none yet. Each ends with the id, so that it gives the whole order of a sorted list, read forwards or backwards.
-- Names are compared by their key and code point by code point, like the texts of the filters.

create index employees_first_name_idx on employees (public.muster_key(first_name) collate "C", id);
create index employees_last_name_idx on employees (public.muster_key(last_name) collate "C", id);
create index employees_designation_idx on employees (public.muster_key(designation) collate "C", id);
create index employees_branch_idx on employees (public.muster_key(branch) collate "C", id);
create index employees_date_of_joining_idx on employees (date_of_joining, id);
create index employees_base_salary_idx on employees (base_salary, id);
create index employees_probation_end_idx on employees (probation_end, id);
create index employees_termination_date_idx on employees (termination_date, id);

create index departments_name_idx on departments (public.muster_key(name) collate "C", id);

create index leave_requests_from_date_idx on leave_requests (from_date, id);
create index leave_requests_to_date_idx on leave_requests (to_date, id);
create index leave_requests_days_idx on leave_requests (days, id);
create index leave_requests_applied_on_idx on leave_requests (applied_on, id);

create index attendance_att_date_idx on attendance (att_date, id);
create index attendance_hours_idx on attendance (hours, id);

create index job_openings_title_idx on job_openings (public.muster_key(title) collate "C", id);
create index job_openings_headcount_idx on job_openings (headcount, id);
create index job_openings_filled_idx on job_openings (filled, id);
create index job_openings_comp_min_idx on job_openings (comp_min, id);
create index job_openings_comp_max_idx on job_openings (comp_max, id);
create index job_openings_location_idx on job_openings (public.muster_key(location) collate "C", id);
create index job_openings_opened_on_idx on job_openings (opened_on, id);
create index job_openings_target_date_idx on job_openings (target_date, id);
create index job_openings_created_idx on job_openings (created, id);

create index candidates_first_name_idx on candidates (public.muster_key(first_name) collate "C", id);
create index candidates_last_name_idx on candidates (public.muster_key(last_name) collate "C", id);
create index candidates_location_idx on candidates (public.muster_key(location) collate "C", id);
create index candidates_current_title_idx on candidates (public.muster_key(current_title) collate "C", id);
create index candidates_current_employer_idx on candidates (public.muster_key(current_employer) collate "C", id);
create index candidates_years_experience_idx on candidates (years_experience, id);
create index candidates_consent_at_idx on candidates (consent_at, id);
create index candidates_created_idx on candidates (created, id);

create index applications_applied_on_idx on applications (applied_on, id);
create index applications_stage_entered_on_idx on applications (stage_entered_on, id);
create index applications_rating_idx on applications (rating, id);
create index applications_created_idx on applications (created, id);

create index organizations_name_idx on organizations (public.muster_key(name) collate "C", id);
create index organizations_default_locale_idx on organizations (public.muster_key(default_locale) collate "C", id);
create index organizations_created_idx on organizations (created, id);

create index recruitment_brands_name_idx on recruitment_brands (public.muster_key(name) collate "C", id);
create index recruitment_brands_created_idx on recruitment_brands (created, id);
create index recruitment_brands_updated_idx on recruitment_brands (updated, id);

create index career_sites_name_idx on career_sites (public.muster_key(name) collate "C", id);
create index career_sites_created_idx on career_sites (created, id);
create index career_sites_updated_idx on career_sites (updated, id);

create index organization_teams_name_idx on organization_teams (public.muster_key(name) collate "C", id);

create index job_distributions_published_at_idx on job_distributions (published_at, id);
