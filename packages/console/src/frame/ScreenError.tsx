import { useRouter } from '@tanstack/react-router'
import { Button, ButtonRow } from '../kit/Button.tsx'
import { EmptyState } from '../kit/EmptyState.tsx'

/** Stands in place of a screen that failed to load or to render. The frame around it still works. */
export const ScreenError = ({ error }: { readonly error: unknown }) => {
  const router = useRouter()
  return (
    <EmptyState level={1} isAlert title="The screen could not be shown">
      <p>
        It failed with this message: <code>{error instanceof Error ? error.message : String(error)}</code>. If the
        service was updated in the meantime, a reload of the page helps.
      </p>
      <ButtonRow>
        <Button onPress={() => location.reload()}>Reload the page</Button>
        <Button kind="bare" onPress={() => void router.invalidate()}>
          Try again
        </Button>
      </ButtonRow>
    </EmptyState>
  )
}
