import { MusterError } from '@muster/client'
import { Check, Eye, EyeOff } from 'lucide-react'
import type { FormEvent } from 'react'
import { useState } from 'react'
import {
  Button,
  Checkbox,
  Dialog,
  FieldError,
  Form,
  Heading,
  Input,
  Label,
  TextField,
  ToggleButton,
} from 'react-aria-components'
import buttonStyles from '../components/Button.module.css'
import { Icon } from '../components/Icon.tsx'
import overlayStyles from '../components/Overlay.module.css'
import { useSession } from '../service/session.tsx'
import { isTokenAccepted } from '../service/token-check.ts'
import { closeDialog } from './dialogs.ts'
import { FrameModal } from './FrameModal.tsx'
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
    <FrameModal>
      <Dialog className={overlayStyles.content}>
        <Heading slot="title" level={2} className={overlayStyles.title}>
          Read with a token
        </Heading>
        <p className="soft">
          A read token of this service shows names, e-mail addresses, pay and leaving dates in this tab.
        </p>
        <Form className={styles.form} validationBehavior="aria" onSubmit={(event) => void submit(event)}>
          <TextField
            autoFocus
            type={isVisible ? 'text' : 'password'}
            autoComplete="off"
            value={token}
            onChange={(value) => {
              setToken(value)
              setProblem(undefined)
            }}
            isInvalid={problem !== undefined}
          >
            <Label className={styles.label}>Token</Label>
            <div className={styles.field}>
              <Input className={styles.input} spellCheck="false" />
              <ToggleButton
                className={buttonStyles.icon}
                aria-label="Show the token"
                isSelected={isVisible}
                onChange={setIsVisible}
              >
                <Icon of={isVisible ? EyeOff : Eye} />
              </ToggleButton>
            </div>
            <FieldError className={styles.problem}>{problem}</FieldError>
          </TextField>
          <Checkbox className={styles.check} isSelected={keepInTab} onChange={setKeepInTab}>
            <span className={styles.box} aria-hidden>
              <Check size={12} strokeWidth={3} />
            </span>
            <span>
              Keep it until this tab is closed
              <span className={styles.hint}>Otherwise it stays in memory and is gone after a reload.</span>
            </span>
          </Checkbox>
          <p className={`${styles.note} note`}>
            The token is never part of a URL or a log. It is forgotten after 30 minutes without a key press, click or
            scroll, and the screens are cleared then.
          </p>
          <div className={overlayStyles.actions}>
            <Button className={buttonStyles.button} onPress={closeDialog}>
              Cancel
            </Button>
            <Button type="submit" className={`${buttonStyles.button} ${buttonStyles.main}`} isPending={isChecking}>
              {isChecking ? 'Checking …' : 'Read with token'}
            </Button>
          </div>
        </Form>
      </Dialog>
    </FrameModal>
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
