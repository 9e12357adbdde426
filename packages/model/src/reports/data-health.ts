import type { HealthRule } from '../health-rules.ts'
import { healthRule, healthRuleNames, healthRules, personalHealthRuleNames } from '../health-rules.ts'
import { listUrl } from './links.ts'
import type { ReportRow } from './report.ts'
import { column, parameter, report } from './report.ts'

/** A column with a property of the rule. */
const ruleColumn = (about: string, property: (rule: HealthRule) => string) =>
  column('text', about, {
    derive: (row: ReportRow) => {
      const rule = healthRule(String(row.rule))
      return rule === undefined ? null : property(rule)
    },
  })

const [firstTable, ...otherTables] = new Set(healthRules.flatMap(({ tables }) => tables))

export const dataHealth = report({
  name: 'data-health',
  title: 'Data health',
  kind: 'snapshot',
  definition:
    'Rules that the records of any company should follow, whatever the day; with `rule`, how many records were checked against that rule and how many break it.',
  tables: [String(firstTable), ...otherTables],
  tablesOf: ({ rule }) => healthRule(String(rule))?.tables ?? [String(firstTable)],
  parameters: {
    rule: parameter('choice', 'The rule to check. Without it, all rules are listed and none is checked.', {
      values: healthRuleNames,
      personalValues: personalHealthRuleNames,
    }),
  },
  columns: {
    rule: column('text', 'Name of the rule.'),
    severity: ruleColumn(
      '`error`: the records contradict each other, so reports may be wrong. `warning`: probably an oversight.',
      ({ severity }) => severity,
    ),
    about: ruleColumn('The records that break the rule.', ({ about }) => about),
    resource: ruleColumn('The resource whose records are checked, as in its URL.', ({ resource }) => resource),
    checked: column('integer', 'Number of records of the resource; null without `rule`.'),
    broken: column('integer', 'Number of records that break the rule; null without `rule`.'),
  },
  links: ({ rule = null }) => {
    const declared = healthRule(String(rule))
    return declared === undefined
      ? {}
      : {
          checked: listUrl(declared.resource),
          broken: listUrl(declared.resource, { health: declared.name }),
        }
  },
})
