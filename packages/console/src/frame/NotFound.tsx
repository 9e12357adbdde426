import { Link } from '@tanstack/react-router'
import { PageHead } from '../components/PageHead.tsx'

export const NotFound = () => (
  <PageHead
    title="There is no such screen"
    question="The link may be misspelt."
    how={
      <Link className="link" to="/today">
        Go to Today
      </Link>
    }
  />
)
