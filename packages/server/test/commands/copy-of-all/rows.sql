-- Odd rows: a circle of references, extreme numbers, days and times, and texts that CSV must quote or that look like null.
insert into candidates (id, first_name, last_name, email, years_experience, status, referred_by, consent_at, notes, created) values
  (1000, 'Grace', 'Hopper', 'grace@example.com', -0.0, 'hired', null, '0001-01-01 00:00:00+00', 'a "b", c', null),
  (1001, '', ' ', null, 5e-324, E'\\N', null, '9999-12-31 23:59:59.999999+00', E'line\nbreak\r\n\ttab', '2024-02-29 23:59:59.123456+02'),
  (1002, U&'\FEFFe\0301', '漢字 𝒳 👩🏽‍💻', 'o''clock@example.com', 1.7976931348623157e308, 'NULL', null, null, U&'\2028 \0001 \\.', now());
insert into employees (id, code, first_name, email, manager_id, branch, status, date_of_joining, base_salary, candidate_id) values
  (1000, 'X-1000', 'Grace', 'Grace.Hopper@example.org', 1001, '=1+1', 'active', '0001-01-01', 0.1, 1000),
  (1001, 'X-1001', 'Alan', 'grace.hopper@example.org', 1000, 'ΣΊΣΥΦΟΣ', 'ACTIVE', '9999-12-31', 9007199254740993, null);
update candidates set referred_by = 1000 where id in (1000, 1001);
insert into leave_requests (id, employee_id, leave_type, from_date, to_date, days, status, reason) values
  (1000, 1000, 'sick', '2026-02-02', '2026-02-03', 1.5, 'approved', 'private');
insert into applications (id, candidate_id, job_id, stage, status, rejection_reason) values (1000, 1000, 1, 'hired', 'hired', 'private');
insert into attendance (id, employee_id, att_date, status, hours) values (5000000000, 1000, '2024-02-29', 'present', 1e-7), (5000000001, 1000, '2024-02-29', 'present', null);
insert into departments (id, name) values (1000, E'Quotes "and"\nlines');
