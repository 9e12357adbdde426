import { useState } from 'react'
import { Button } from '../src/kit/Button.tsx'
import { Calendar } from '../src/kit/Calendar.tsx'
import { Dialog } from '../src/kit/Dialog.tsx'
import { Disclosure } from '../src/kit/Disclosure.tsx'
import { Drawer } from '../src/kit/Drawer.tsx'
import { EmptyState, StateFacts } from '../src/kit/EmptyState.tsx'
import { Popover, PopoverText } from '../src/kit/Popover.tsx'

export const Popovers = () => (
  <>
    <Popover title="How this is counted" width="medium" trigger={<Button>How is this counted?</Button>}>
      <PopoverText>Employees who match all filters.</PopoverText>
      <Button>Copy curl</Button>
    </Popover>
    <Popover label="Period" padding="tight" trigger={<Button>Period</Button>}>
      {(close) => (
        <Button kind="choice" onPress={close}>
          12 months
        </Button>
      )}
    </Popover>
  </>
)

export const Dialogs = () => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>Keys</Button>
      {isOpen ? (
        <Dialog title="Keys" hasCloseButton onClose={() => setIsOpen(false)}>
          <p>All keys of the console.</p>
        </Dialog>
      ) : undefined}
      <Dialog
        kind="sheet"
        title="Filter"
        hasCloseButton
        trigger={<Button>Filter</Button>}
        footer={(close) => (
          <Button kind="main" onPress={close}>
            Show 12 people
          </Button>
        )}
      >
        <p>The facets.</p>
      </Dialog>
    </>
  )
}

export const Drawers = () => {
  const [id, setId] = useState<number | undefined>(1)
  return id === undefined ? (
    <Button onPress={() => setId(1)}>Open</Button>
  ) : (
    <Drawer
      label="Person"
      noun="person"
      mark={`E-${id}`}
      id={id}
      previous={id === 1 ? undefined : id - 1}
      next={id + 1}
      onMove={setId}
      onClose={() => setId(undefined)}
    >
      <h2>Person {id}</h2>
    </Drawer>
  )
}

export const Disclosures = () => (
  <>
    <Disclosure title="Pay, gender, probation" remark="3 fields, hidden">
      <p>Folded at first.</p>
    </Disclosure>
    <Disclosure title="Open" isExpanded>
      <p>Always open.</p>
    </Disclosure>
  </>
)

export const Calendars = () => {
  const [day, setDay] = useState('2026-11-13')
  return (
    <>
      <Calendar label="Day of the figures" value={day} onChange={setDay} />
      <p role="status">{day}</p>
    </>
  )
}

export const EmptyStates = () => (
  <>
    <EmptyState title="There is nobody yet">
      <p>The database has no employees.</p>
    </EmptyState>
    <EmptyState title="The service is busy" isAlert>
      <StateFacts>
        <dt>Code</dt>
        <dd>
          <code>503 overloaded</code>
        </dd>
      </StateFacts>
    </EmptyState>
  </>
)
