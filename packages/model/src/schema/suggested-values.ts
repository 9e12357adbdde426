/** Suggested values of string fields. The API documents them but accepts other values too. */

export const employeeStatuses = ['active', 'on_leave', 'suspended', 'terminated', 'pending'] as const
export const employmentTypes = ['full_time', 'part_time', 'contract', 'intern'] as const
export const leaveStatuses = ['pending', 'approved', 'rejected', 'cancelled'] as const
export const leaveTypes = ['annual', 'sick', 'parental', 'unpaid', 'bereavement', 'study'] as const
export const attendanceStatuses = ['present', 'absent', 'half_day', 'on_leave', 'work_from_home'] as const
export const jobStatuses = ['draft', 'open', 'on_hold', 'closed', 'archived'] as const
export const remotePolicies = ['onsite', 'hybrid', 'remote'] as const
export const candidateStatuses = ['active', 'hired', 'archived'] as const
export const candidateSources = ['referral', 'career_site', 'job_board', 'agency', 'event', 'sourced'] as const
export const applicationStages = [
  'sourced',
  'applied',
  'shortlisted',
  'assessment',
  'phone_screen',
  'interview',
  'offer',
  'hired',
] as const
export const applicationStatuses = ['active', 'rejected', 'hired', 'withdrawn'] as const
export const distributionStatuses = ['draft', 'published', 'closed', 'archived'] as const
