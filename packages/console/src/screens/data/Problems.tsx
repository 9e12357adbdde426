import type { MusterError, Problem } from '@muster/client'
import { Button } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import styles from './Problems.module.css'
import { useExplorer } from './use-explorer.ts'

/** What the service says about parameters that it does not accept, with a way to remove each of them. */
export const Problems = ({ error }: { readonly error: MusterError }) => {
  const { resource, search, changeList } = useExplorer()
  const names = [...new Set(error.problems.map(parameterOf))]
  return (
    <div className={styles.problems} role="alert">
      <h2 className={styles.title}>
        {names.length === 1 ? 'One parameter' : `${names.length} parameters`} of this URL{' '}
        {names.length === 1 ? 'is' : 'are'} not accepted
      </h2>
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
              <p className={styles.actions}>
                <Button className={buttonStyles.button} onPress={() => changeList({ [name]: undefined })}>
                  Remove {name}
                </Button>
                {typeof suggestion === 'string' ? (
                  <Button
                    className={buttonStyles.button}
                    onPress={() => changeList({ [name]: undefined, [suggestion]: search[name] })}
                  >
                    Use {suggestion} instead
                  </Button>
                ) : undefined}
              </p>
            </li>
          )
        })}
      </ul>
      {names.length > 1 ? (
        <Button
          className={buttonStyles.button}
          onPress={() => changeList(Object.fromEntries(names.map((name) => [name, undefined])))}
        >
          Remove all {names.length}
        </Button>
      ) : undefined}
    </div>
  )
}

const parameterOf = ({ loc }: Problem): string => String(loc.at(-1))
