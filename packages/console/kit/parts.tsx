/** All parts of the kit with all their states: what the page of the kit shows, and what the component tests check. */
import type { ComponentType } from 'react'
import { Buttons, IconButtons, ToggleGroups } from './parts-buttons.tsx'
import { Checkboxes, ComboBoxes, Fields, OptionLists, Selects } from './parts-fields.tsx'
import {
  CardLists,
  ChartFrames,
  Chips,
  DotLists,
  Facets,
  GridTables,
  Pagers,
  PicksParts,
  Tables,
  Trees,
} from './parts-lists.tsx'
import { Calendars, Dialogs, Disclosures, Drawers, EmptyStates, Palettes, Popovers } from './parts-overlays.tsx'

export const parts = {
  Button: Buttons,
  IconButton: IconButtons,
  ToggleGroup: ToggleGroups,
  Field: Fields,
  Select: Selects,
  ComboBox: ComboBoxes,
  OptionList: OptionLists,
  Checkbox: Checkboxes,
  Table: Tables,
  GridTable: GridTables,
  CardList: CardLists,
  Tree: Trees,
  DotList: DotLists,
  Facet: Facets,
  Picks: PicksParts,
  Chip: Chips,
  Pager: Pagers,
  Popover: Popovers,
  Dialog: Dialogs,
  Palette: Palettes,
  Drawer: Drawers,
  Disclosure: Disclosures,
  Calendar: Calendars,
  EmptyState: EmptyStates,
  ChartFrame: ChartFrames,
} as const satisfies Record<string, ComponentType>
