/** The names that HR systems give to columns, in English and German, by resource and field. */

/** Lower-case letters and digits without accents, so that `E-Mail`, `Email` and `email` are the same name. */
export const normalizeName = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('#', 'number')
    .replaceAll(/[^a-z0-9]/g, '')

/** What a column with one of these names contains. */
export interface KnownColumn {
  /** Several fields: the values of the column decide. */
  readonly fields: readonly string[]
  readonly names: readonly string[]
  /** Why the name alone does not decide how to read the column. */
  readonly unsure?: string
}

const known = (fields: string, names: string, unsure?: string): KnownColumn => ({
  fields: fields.split(' '),
  names: names.split(',').map(normalizeName),
  ...(unsure === undefined ? {} : { unsure }),
})

const firstName = known('first_name', 'First name,Given name,Legal first name,Forename,Vorname,Rufname')
const lastName = known(
  'last_name',
  'Last name,Family name,Surname,Legal last name,Nachname,Familienname,Name (Nachname)',
)
const fullNames = 'Full name,Vollständiger Name,Name Vorname,Last name first name'
const fullName = 'If these are full names, they become last names, because a map does not split names'
const manager =
  'Manager,Supervisor,Reports to,Reporting to,Line manager,Manager name,Vorgesetzter,Vorgesetzte,Führungskraft'
const personnelNumbers = 'Personalnummer,Personalnr,PersNr,Pers.-Nummer,PNr,P-Nr,Mitarbeiternummer,Mitarbeiternr,MA-Nr'
const managerNumbers = [
  'Vorgesetzter',
  'Vorgesetzte',
  'Vorgesetzte/r',
  'Vorgesetzten',
  'Führungskraft',
  'Manager',
].flatMap((person) => personnelNumbers.split(',').flatMap((number) => [`${person} (${number})`, `${number} ${person}`]))
const employee =
  'Employee ID,Employee number,Employee #,Employee no,Personnel number,Staff number,Associate ID,User ID,Emp ID,Worker ID,Code,Mitarbeiter-ID,' +
  personnelNumbers

/** A field that has several columns takes the first of these names. */
export const knownColumns: Readonly<Record<string, readonly KnownColumn[]>> = {
  employees: [
    known('code', employee),
    firstName,
    lastName,
    known('last_name', `Name,Employee name,Mitarbeiter,${fullNames}`, fullName),
    known(
      'email',
      'Work email,Email,E-mail address,Primary work email,Business email,Work contact: work email,Company email,E-Mail,E-Mail-Adresse,E-Mail (geschäftlich),Dienstliche E-Mail',
    ),
    known('dept_id', 'Department,Department name,Home department description,Home department,Abteilung,Abt,Bereich'),
    known(
      'designation',
      'Job title,Business title,Title,Position title,Job title description,Position,Designation,Stelle,Position/Stelle,Stellenbezeichnung,Berufsbezeichnung,Tätigkeit,Funktion',
    ),
    known(
      'manager_id',
      'Supervisor EID,Manager ID,Manager employee ID,Reports to ID,Reports to associate ID,Supervisor ID,Manager code',
    ),
    known('manager_id', managerNumbers.join()),
    known('manager_id', 'Manager email,Manager - Work email,Reports to email,Supervisor email,Vorgesetzter (E-Mail)'),
    known('manager_id', manager),
    known(
      'branch',
      'Location,Office,Site,Branch,Work location,Location description,Standort,Niederlassung,Betriebsstätte,Filiale',
    ),
    known('status employment_type', 'Employment status'),
    known(
      'status',
      'Status,Active,Aktiv,Worker status,Position status,Lifecycle status,Employee status,Active status,Mitarbeiterstatus',
    ),
    known(
      'employment_type',
      'Employment type,Worker category description,Worker category,Time type,Contract type,Beschäftigung,Beschäftigungsart,Beschäftigungsverhältnis,Vertragsart,Vertrag,Arbeitszeitmodell',
    ),
    known(
      'date_of_joining',
      'Hire date,Start date,Date of joining,Joining date,Original hire date,Eintrittsdatum,Eintritt,Einstellungsdatum,Beginn',
    ),
    known(
      'termination_date',
      'Termination date,End date,End of employment,Employment end date,Company exit date,Last day of work,Last day,Austrittsdatum,Austritt,Ende',
    ),
    known('gender', 'Gender,Sex,Gender / Sex (Self-ID),Legal gender,Geschlecht'),
    known(
      'base_salary',
      'Annual salary,Annual base salary,Annual base pay,Annual compensation,Yearly salary,Jahresgehalt,Jahresgehalt brutto,Jahresgrundgehalt,Jahresbrutto,Bruttojahresgehalt,Brutto/Jahr,Brutto p.a.,Gehalt p.a.',
    ),
    known(
      'base_salary',
      'Base salary,Salary,Pay,Pay rate,Gehalt,Grundgehalt,Bruttogehalt,Vergütung,Fixgehalt',
      'Muster stores the salary per year. If this is a salary per month or hour, write "ignore" instead',
    ),
    known(
      'probation_end',
      'Probation end,Probation end date,Probation period end,Probezeitende,Ende der Probezeit,Probezeit bis',
    ),
  ],
  candidates: [
    firstName,
    lastName,
    known('last_name', `Candidate name,Name,Candidate,Bewerber,${fullNames}`, fullName),
    known('email', 'Email,E-mail address,Primary email address,Primary email,Candidate email,E-Mail,E-Mail-Adresse'),
    known('phone', 'Phone,Phone number,Primary phone number,Mobile,Telefon,Telefonnummer,Handy'),
    known('location', 'Location,Address,City,Candidate location,Wohnort,Ort,Adresse'),
    known('headline', 'Headline,Summary,Kurzprofil'),
    known('current_title', 'Current title,Title,Job title,Current job title,Aktuelle Position,Position'),
    known(
      'current_employer',
      'Current company,Company,Current employer,Employer,Aktueller Arbeitgeber,Arbeitgeber,Firma',
    ),
    known('linkedin_url', 'LinkedIn,LinkedIn URL,LinkedIn profile,Social media,LinkedIn-Profil'),
    known('source', 'Source type,Origin,Source,Quelle,Herkunft,Kanal'),
    known('referred_by', 'Who gets credit,Credited to (email),Credited to,Referrer,Referred by,Empfohlen von'),
    known('status', 'Status,Candidate status'),
    known('notes', 'Notes,Notizen,Bemerkungen'),
    known('created', 'Created at,Created,Date added,Added on,Erstellt am,Angelegt am'),
  ],
  leave: [
    known('employee_id', employee),
    known(
      'leave_type',
      'Leave type,Absence type,Time off type,Type,Abwesenheitsart,Art,Art der Abwesenheit,Urlaubsart',
    ),
    known('from_date', 'From,Start date,First day,Start,Von,Beginn,Erster Tag'),
    known('to_date', 'To,End date,Last day,End,Bis,Ende,Letzter Tag'),
    known('days', 'Days,Duration,Number of days,Amount,Tage,Anzahl Tage,Arbeitstage'),
    known('status', 'Status,Approval status,Genehmigungsstatus'),
    known('reason', 'Reason,Comment,Grund,Kommentar,Bemerkung'),
    known('applied_on', 'Requested on,Applied on,Request date,Created,Beantragt am,Antragsdatum'),
  ],
}

const pay = /gehalt(?!smonat)|salary|wage|lohn|brutto|vergutung|entgelt|compensation|pay(?!roll|ment)/
const perMonthOrHour = /monat|month|mtl|stund|hour/

/** Whether the column of this name contains a salary of another unit than a year. */
export const isOtherSalaryUnit = (name: string): boolean =>
  pay.test(normalizeName(name)) && perMonthOrHour.test(normalizeName(name))
