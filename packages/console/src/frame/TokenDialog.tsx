import { MusterError } from '@muster/client'
import { Eye, EyeOff } from 'lucide-react'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { Button, ButtonRow } from '../kit/Button.tsx'
import { Checkbox } from '../kit/Checkbox.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { TextField } from '../kit/Field.tsx'
import { IconToggle } from '../kit/IconButton.tsx'
import { useSession } from '../service/session.tsx'
import { isTokenAccepted } from '../service/token-check.ts'
import { closeDialog } from './dialogs.ts'
import styles from './TokenDialog.module.css'

export const TokenDialog = () => {
  const { signIn } = useSession()
  const [token, setToken] = useState('')
  const [keepInTab, setKeepInTab] = useState(false)
  const [isVisible, setIsVisible] = useState(false)
  const [isChecking, setIsChecking] = useState(false)
  const [problem, setProblem] = useState<string>()

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const entered = token.trim()
    if (entered === '') return setProblem('Enter a token.')
    setIsChecking(true)
    const found = await checkToken(entered)
    setIsChecking(false)
    setProblem(found)
    if (found !== undefined) return
    closeDialog()
    signIn(entered, keepInTab)
  }

  return (
    <Dialog title="Read with a token" onClose={closeDialog}>
      <p className="soft">
        A read token of this service shows names, e-mail addresses, pay and leaving dates in this tab.
      </p>
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          label="Token"
          autoFocus
          type={isVisible ? 'text' : 'password'}
          autoComplete="off"
          value={token}
          onChange={(value) => {
            setToken(value)
            setProblem(undefined)
          }}
          problem={problem}
          button={
            <IconToggle
              icon={isVisible ? EyeOff : Eye}
              label="Show the token"
              isSelected={isVisible}
              onChange={setIsVisible}
            />
          }
        />
        <Checkbox isSelected={keepInTab} onChange={setKeepInTab}>
          <span className={styles.check}>
            Keep it until this tab is closed
            <span className={styles.hint}>Otherwise it stays in memory and is gone after a reload.</span>
          </span>
        </Checkbox>
        <p className={`${styles.note} note`}>
          The token is never part of a URL or a log. It is forgotten after 30 minutes without a key press, click or
          scroll, and the screens are cleared then.
        </p>
        <ButtonRow isAtEnd>
          <Button onPress={closeDialog}>Cancel</Button>
          <Button type="submit" kind="main" isPending={isChecking}>
            {isChecking ? 'Checking …' : 'Read with token'}
          </Button>
        </ButtonRow>
      </form>
    </Dialog>
  )
}

/** Returns what is wrong with the token, if anything. */
const checkToken = async (token: string): Promise<string | undefined> => {
  try {
    return (await isTokenAccepted(token)) ? undefined : 'The service does not accept this token.'
  } catch (error) {
    if (!(error instanceof MusterError)) return 'A token contains only ASCII characters.'
    if (error.code === 'rate_limited') return 'There were too many wrong tokens. Wait a minute, then try again.'
    return 'The token could not be checked, because the service did not respond as expected. Try again.'
  }
}
