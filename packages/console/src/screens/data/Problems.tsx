import type { MusterError, Problem } from '@muster/client'
import { Button, ButtonRow } from '../../kit/Button.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { useExplorer } from './use-explorer.ts'

/** What the service says about parameters that it does not accept, with a way to remove each of them. */
export const Problems = ({ error }: { readonly error: MusterError }) => {
  const { resource, search, changeList } = useExplorer()
  const names = [...new Set(error.problems.map(parameterOf))]
  return (
    <EmptyState
      isAlert
      title={
        names.length === 1
          ? 'One parameter of this URL is not accepted'
          : `${names.length} parameters of this URL are not accepted`
      }
    >
      <p>The list of {resource.titles} is not shown, because it would not be the list that the URL means.</p>
      <ul>
        {error.problems.map((problem) => {
          const name = parameterOf(problem)
          const suggestion = problem.ctx?.did_you_mean
          return (
            <li key={`${name} ${problem.type} ${problem.msg}`}>
              <code>
                {name}
                {search[name] === undefined ? '' : `=${search[name].slice(0, 200)}`}
              </code>
              <p>{problem.msg}</p>
              <ButtonRow>
                <Button onPress={() => changeList({ [name]: undefined })}>Remove {name}</Button>
                {typeof suggestion === 'string' ? (
                  <Button onPress={() => changeList({ [name]: undefined, [suggestion]: search[name] })}>
                    Use {suggestion} instead
                  </Button>
                ) : undefined}
              </ButtonRow>
            </li>
          )
        })}
      </ul>
      {names.length > 1 ? (
        <Button onPress={() => changeList(Object.fromEntries(names.map((name) => [name, undefined])))}>
          Remove all {names.length}
        </Button>
      ) : undefined}
    </EmptyState>
  )
}

const parameterOf = ({ loc }: Problem): string => String(loc.at(-1))
