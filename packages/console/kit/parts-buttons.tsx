import { ChevronDown, Download, Eye, ListFilter, X } from 'lucide-react'
import { useState } from 'react'
import { Button, ButtonAnchor, ButtonLink, ButtonRow } from '../src/kit/Button.tsx'
import { Icon } from '../src/kit/Icon.tsx'
import { IconButton, IconLink, IconToggle } from '../src/kit/IconButton.tsx'
import { LinkGroup, ToggleGroup } from '../src/kit/ToggleGroup.tsx'

export const Buttons = () => {
  const [presses, setPresses] = useState(0)
  return (
    <>
      <ButtonRow>
        <Button onPress={() => setPresses(presses + 1)}>Pressed {presses}</Button>
        <Button kind="main">Main</Button>
        <Button kind="bare">
          <Icon of={ListFilter} /> Bare
        </Button>
        <Button isDisabled onPress={() => setPresses(-1)}>
          Disabled
        </Button>
        <Button kind="quiet">Quiet</Button>
        <Button kind="more">7 more</Button>
        <ButtonLink to="/">Link</ButtonLink>
        <ButtonAnchor href="data:text/csv,id" download="people.csv">
          <Icon of={Download} /> File
        </ButtonAnchor>
      </ButtonRow>
      <ButtonRow isAtEnd>
        <Button>Two parts</Button>
        <Button kind="split" aria-label="Other forms">
          <Icon of={ChevronDown} />
        </Button>
      </ButtonRow>
      <Button kind="choice" aria-pressed>
        Chosen line <span className="muted">12 months</span>
      </Button>
      <Button kind="choice">Other line</Button>
    </>
  )
}

export const IconButtons = () => {
  const [isShown, setIsShown] = useState(false)
  return (
    <ButtonRow>
      <IconButton icon={X} label="Close" />
      <IconButton icon={X} label="Cannot be closed" isDisabled />
      <IconToggle
        icon={Eye}
        label={`Show the token${isShown ? ', shown' : ''}`}
        isSelected={isShown}
        onChange={setIsShown}
      />
      <IconLink icon={X} label="Close this day" to="/" />
    </ButtonRow>
  )
}

export const ToggleGroups = () => {
  const [value, setValue] = useState<'rows' | 'cards'>('rows')
  return (
    <ButtonRow>
      <ToggleGroup
        label="View"
        value={value}
        options={[
          ['rows', 'Rows'],
          ['cards', 'Cards'],
        ]}
        onChange={setValue}
      />
      <LinkGroup label="Form">
        <a href="#tree" aria-current="page">
          Tree
        </a>
        <a href="#managers">Managers</a>
      </LinkGroup>
    </ButtonRow>
  )
}
