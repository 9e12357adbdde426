import { Link } from '@tanstack/react-router'
import { EmptyState } from '../components/EmptyState.tsx'

export const NotFound = () => (
  <EmptyState title="There is no such screen">
    <p>
      The link may be misspelt. <Link to="/today">Go to Today</Link>
    </p>
  </EmptyState>
)
