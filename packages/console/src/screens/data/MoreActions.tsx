import { Ellipsis } from 'lucide-react'
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { Icon } from '../../components/Icon.tsx'
import { RequestForms } from './CopyAs.tsx'
import { Export } from './Export.tsx'
import styles from './Popover.module.css'

interface MoreActionsProps {
  readonly total: number | undefined
  readonly path: string
  readonly call: string
}

/** On phones, what is used less often is behind one button. */
export const MoreActions = ({ total, path, call }: MoreActionsProps) => (
  <DialogTrigger>
    <Button
      className={`${buttonStyles.button} ${buttonStyles.bare}`}
      aria-label="Export, copy as link, curl or TypeScript"
    >
      <Icon of={Ellipsis} />
    </Button>
    <Popover className={styles.popover} placement="bottom end">
      <Dialog className={styles.dialog} aria-label="Export and copy">
        {total === undefined || total === 0 ? undefined : (
          <div className={styles.part}>
            <Export total={total} isInDialog />
          </div>
        )}
        <div className={styles.part}>
          <RequestForms title="Copy this list as" headingLevel={2} path={path} call={call} />
        </div>
      </Dialog>
    </Popover>
  </DialogTrigger>
)
