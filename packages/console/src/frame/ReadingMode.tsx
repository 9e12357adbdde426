import type { LucideIcon } from 'lucide-react'
import { KeyRound, LockKeyhole, LockKeyholeOpen } from 'lucide-react'
import { Button, ButtonRow } from '../kit/Button.tsx'
import { Icon } from '../kit/Icon.tsx'
import { Popover } from '../kit/Popover.tsx'
import { useServiceInfo } from '../service/queries.ts'
import { useSession } from '../service/session.tsx'
import { openDialog } from './dialogs.ts'
import type { ReadingModeName } from './reading-mode.ts'
import { readingModeOf } from './reading-mode.ts'
import styles from './TopBar.module.css'

interface ModeText {
  readonly label: string
  readonly icon: LucideIcon
  readonly explanation: string
}

const texts: Readonly<Record<ReadingModeName, ModeText>> = {
  unknown: {
    label: 'Reading mode',
    icon: LockKeyhole,
    explanation: 'It is not known yet who may read the data.',
  },
  public: {
    label: 'Public reads',
    icon: LockKeyholeOpen,
    explanation:
      'Everybody who can reach this service can read everything in it, including names, e-mail addresses and pay. No token is needed.',
  },
  redacted: {
    label: 'Names withheld',
    icon: LockKeyhole,
    explanation:
      'Without a token, this service withholds names, e-mail addresses, pay and leaving dates. They cannot be searched, filtered or sorted either. All figures that do not depend on them are exact.',
  },
  'token-needed': {
    label: 'Token needed',
    icon: LockKeyhole,
    explanation: 'This service shows nothing without a token.',
  },
  'with-token': {
    label: 'With token',
    icon: KeyRound,
    explanation:
      'You are signed in with a token and see everything. You are signed out after 30 minutes of inactivity, and the screens are cleared then.',
  },
}

/** Always says how the service treats reads, and offers to enter or forget a token. */
export const ReadingMode = () => {
  const { token, signOut } = useSession()
  const { data } = useServiceInfo()
  const mode = readingModeOf(data?.reads, token)
  const { label, icon, explanation } = texts[mode]
  return (
    <Popover
      title={label}
      placement="bottom end"
      className={styles.reading}
      trigger={
        <Button kind="own" className={`${styles.tool} ${styles.mode}`}>
          <Icon of={icon} />
          <span className={mode === 'unknown' ? 'visually-hidden' : 'visually-hidden-on-phones'}>
            {mode === 'public' ? label : <b>{label}</b>}
          </span>
        </Button>
      }
    >
      {(close) => (
        <>
          <p className="soft">{explanation}</p>
          {mode === 'public' && data?.real_email_domains ? (
            <p className={styles.warning}>
              This service holds e-mail addresses of real domains. Set <code>MUSTER_READS</code> to{' '}
              <code>redacted</code> or <code>token</code>, unless everybody may read them.
            </p>
          ) : undefined}
          {mode === 'redacted' || mode === 'token-needed' ? (
            <ButtonRow>
              <Button
                kind="main"
                onPress={() => {
                  close()
                  openDialog('token')
                }}
              >
                Enter a token
              </Button>
            </ButtonRow>
          ) : undefined}
          {mode === 'with-token' ? (
            <ButtonRow>
              <Button
                onPress={() => {
                  close()
                  signOut()
                }}
              >
                Forget the token
              </Button>
            </ButtonRow>
          ) : undefined}
        </>
      )}
    </Popover>
  )
}
