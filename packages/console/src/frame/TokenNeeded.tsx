import { useEffect } from 'react'
import { Button, ButtonRow } from '../kit/Button.tsx'
import { EmptyState } from '../kit/EmptyState.tsx'
import { openDialog } from './dialogs.ts'

/** Stands in place of a screen where nothing can be read without a token. */
export const TokenNeeded = () => {
  useEffect(() => {
    document.title = 'A token is needed · Muster'
  }, [])
  return (
    <EmptyState level={1} title="A token is needed">
      <p>
        This service shows nothing without a token. Ask its operator for the read token, which is the value of{' '}
        <code>MUSTER_READ_TOKEN</code>.
      </p>
      <ButtonRow>
        <Button kind="main" onPress={() => openDialog('token')}>
          Enter a token
        </Button>
      </ButtonRow>
    </EmptyState>
  )
}
