import { Link } from '@tanstack/react-router'
import { LinkGroup } from '../../kit/ToggleGroup.tsx'

const activeOptions = { exact: true, includeSearch: false }

/** The chart, and the list of those who lead in it. */
export const OrgViews = () => (
  <LinkGroup label="View">
    <Link to="/org" activeOptions={activeOptions}>
      Chart
    </Link>
    <Link to="/org/managers" activeOptions={activeOptions}>
      Managers
    </Link>
  </LinkGroup>
)
