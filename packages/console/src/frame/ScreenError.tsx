import { useRouter } from '@tanstack/react-router'
import { Button } from 'react-aria-components'
import buttonStyles from '../components/Button.module.css'
import stateStyles from '../components/State.module.css'

/** Stands in place of a screen that failed to load or to render. The frame around it still works. */
export const ScreenError = ({ error }: { readonly error: unknown }) => {
  const router = useRouter()
  return (
    <div className={stateStyles.state} role="alert">
      <h1 className={stateStyles.title}>The screen could not be shown</h1>
      <p>
        It failed with this message: <code>{error instanceof Error ? error.message : String(error)}</code>. If the
        service was updated in the meantime, a reload of the page helps.
      </p>
      <div className={stateStyles.actions}>
        <Button className={buttonStyles.button} onPress={() => location.reload()}>
          Reload the page
        </Button>
        <Button className={`${buttonStyles.button} ${buttonStyles.bare}`} onPress={() => void router.invalidate()}>
          Try again
        </Button>
      </div>
    </div>
  )
}
