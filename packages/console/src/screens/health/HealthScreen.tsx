import { RefreshCw } from 'lucide-react'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { questionOf } from '../../frame/screens.ts'
import { Button } from '../../kit/Button.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { reportPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { NewestDays } from './NewestDays.tsx'
import { Rules } from './Rules.tsx'
import { summarize } from './rule-results.ts'
import { Service } from './Service.tsx'
import { useRules } from './use-rules.ts'

export const HealthScreen = () => {
  const asOf = useAsOf()
  const { list, results, checkedAt, checkAgain } = useRules()
  const isChecking = summarize(results).waiting > 0
  return (
    <>
      <PageHead
        title="Health"
        question={questionOf('/health')}
        how={
          <HowCounted
            title="Data health"
            meta={list.data?.meta}
            definition={definition}
            path={reportPath('data-health', { rule: 'manager_left' })}
          />
        }
        tools={<CopyLinkButton />}
      >
        <Button isDisabled={isChecking || results.length === 0} onPress={checkAgain}>
          <Icon of={RefreshCw} />
          Check again
        </Button>
      </PageHead>
      <div className="grid">
        <div className="span-8">
          <Loadable result={list} asked="the rules of data health">
            {() => <Rules results={results} checkedAt={checkedAt} />}
          </Loadable>
        </div>
        {/* On phones it stands below the rules, so it waits for them: otherwise they would push it down. */}
        {list.data === undefined && list.error === null ? undefined : (
          <div className="span-4 grid side">
            <Service />
            {list.error === null ? <NewestDays asOf={asOf} /> : undefined}
          </div>
        )}
      </div>
    </>
  )
}

const definition =
  'Each rule names records that contradict each other (error) or that were probably forgotten (warning). “Checked” is the number of records of the resource, “broken” the number of those that break the rule. The rules do not depend on the day. One request checks one rule.'
