import { useEffect } from 'react'
import { Button } from 'react-aria-components'
import buttonStyles from '../components/Button.module.css'
import stateStyles from '../components/State.module.css'
import { openDialog } from './dialogs.ts'

/** Stands in place of a screen where nothing can be read without a token. */
export const TokenNeeded = () => {
  useEffect(() => {
    document.title = 'A token is needed · Muster'
  }, [])
  return (
    <div className={stateStyles.state}>
      <h1 className={stateStyles.title}>A token is needed</h1>
      <p>
        This service shows nothing without a token. Ask its operator for the read token, which is the value of{' '}
        <code>MUSTER_READ_TOKEN</code>.
      </p>
      <div className={stateStyles.actions}>
        <Button className={`${buttonStyles.button} ${buttonStyles.main}`} onPress={() => openDialog('token')}>
          Enter a token
        </Button>
      </div>
    </div>
  )
}
