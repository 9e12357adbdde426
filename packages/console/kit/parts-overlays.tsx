import { Ellipsis, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../src/kit/Button.tsx'
import { Calendar } from '../src/kit/Calendar.tsx'
import { CodeBlock } from '../src/kit/CodeBlock.tsx'
import { Dialog } from '../src/kit/Dialog.tsx'
import { Disclosure } from '../src/kit/Disclosure.tsx'
import { Drawer } from '../src/kit/Drawer.tsx'
import { EmptyState, StateFacts } from '../src/kit/EmptyState.tsx'
import { Icon } from '../src/kit/Icon.tsx'
import { IconButton } from '../src/kit/IconButton.tsx'
import { Palette, PaletteGroup, PaletteItem, PaletteLinks } from '../src/kit/Palette.tsx'
import { Popover, PopoverPart, PopoverText, PopoverTitle } from '../src/kit/Popover.tsx'

export const Popovers = () => (
  <>
    <Popover title="How this is counted" width="medium" trigger={<Button>How is this counted?</Button>}>
      <PopoverText>Employees who match all filters.</PopoverText>
      <Button>Copy curl</Button>
    </Popover>
    <Popover
      label="Export and copy"
      width="wide"
      padding="none"
      trigger={
        <Button kind="bare" aria-label="More">
          <Icon of={Ellipsis} />
        </Button>
      }
    >
      <PopoverPart>
        <PopoverTitle>Export 1,204 rows</PopoverTitle>
        <Button>CSV</Button>
      </PopoverPart>
      <PopoverPart>
        <CodeBlock isLong>curl https://muster.example/api/v1/employees?status=active</CodeBlock>
      </PopoverPart>
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
      <Button aria-haspopup="dialog" onPress={() => setIsOpen(true)}>
        Keys
      </Button>
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

export const Palettes = () => {
  const [text, setText] = useState('')
  const [opened, setOpened] = useState('')
  return (
    <PaletteLinks navigate={setOpened} hrefOf={(path) => path}>
      <Dialog kind="own" label="Search" trigger={<Button>Search</Button>}>
        <Palette
          label="Search"
          placeholder="People and screens"
          text={text}
          onTextChange={setText}
          onKeyDown={() => {}}
          hint={<kbd aria-hidden>Esc</kbd>}
          aside={<IconButton slot="close" icon={X} label="Close" />}
          note={<p>12 people</p>}
          resultsLabel="Results"
          empty={<p>Nothing found.</p>}
        >
          <PaletteGroup id="people" title="People" note="2 people are called Ada Ács.">
            <PaletteItem id="ada" text="Ada Ács" onAction={() => setOpened('Ada')}>
              <bdi>Ada Ács</bdi>
            </PaletteItem>
            <PaletteItem id="other" text="Ada Ács, Lyon" onAction={() => setOpened('Other')} hasTwoLines>
              <bdi>Ada Ács</bdi>
              <span>
                Engineer · <b>Lyon</b>
              </span>
              <span>
                <span>since 2020</span>
                <span>K000007</span>
              </span>
            </PaletteItem>
            <PaletteItem id="leave" text="Leave" href="/leave">
              Leave
            </PaletteItem>
          </PaletteGroup>
        </Palette>
      </Dialog>
      <p role="status">Opened: {opened}</p>
    </PaletteLinks>
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
