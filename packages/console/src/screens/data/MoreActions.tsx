import { Ellipsis } from 'lucide-react'
import { Button } from '../../kit/Button.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { Popover, PopoverPart } from '../../kit/Popover.tsx'
import { RequestForms } from './CopyAs.tsx'
import { Export } from './Export.tsx'

interface MoreActionsProps {
  readonly total: number | undefined
  readonly path: string
  readonly call: string
}

/** On phones, what is used less often is behind one button. */
export const MoreActions = ({ total, path, call }: MoreActionsProps) => (
  <Popover
    label="Export and copy"
    width="small"
    placement="bottom end"
    trigger={
      <Button kind="bare" aria-label="Export, copy as link, curl or TypeScript">
        <Icon of={Ellipsis} />
      </Button>
    }
  >
    {total === undefined || total === 0 ? undefined : (
      <PopoverPart>
        <Export total={total} isInDialog />
      </PopoverPart>
    )}
    <PopoverPart>
      <RequestForms title="Copy this list as" headingLevel={2} path={path} call={call} />
    </PopoverPart>
  </Popover>
)
