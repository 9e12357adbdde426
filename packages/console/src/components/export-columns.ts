interface ExportColumns {
  readonly shown: string
  readonly personal?: string
}

/**
 * The fields that screens export, by resource: those that they show, and the personal ones that the reader may add. The
 * declarations would be a script of their own. A test compares them.
 */
export const exportColumns: Readonly<Record<string, ExportColumns>> = {
  employees: {
    shown: 'id,first_name,last_name,dept_id,designation,manager_id,branch,status,date_of_joining',
    personal: 'email,gender,base_salary,probation_end,termination_date',
  },
  leave: { shown: 'id,employee_id,leave_type,from_date,to_date,days,status', personal: 'reason' },
  attendance: { shown: 'id,employee_id,att_date,status' },
  jobs: { shown: 'id,code,title,dept_id,headcount,filled,location,opened_on,target_date' },
  candidates: {
    shown: 'id,first_name,last_name,current_title,source,consent_at,status,created',
    personal: 'email,phone,location,current_employer,linkedin_url,notes',
  },
  applications: {
    shown: 'id,candidate_id,job_id,stage,status,applied_on,stage_entered_on',
    personal: 'rating,rejection_reason',
  },
}

/** The path of the CSV file of a list, such as `/api/v1/employees?status=active`, with the named fields. */
export const exportPath = (path: string, fields: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}fields=${fields}&format=csv`
