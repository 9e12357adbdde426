import type { ReactNode } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { Section } from '../../kit/Section.tsx'
import { healthQuery, useRequest, useServiceInfo } from '../../service/queries.ts'
import { useSession } from '../../service/session.tsx'
import styles from './HealthScreen.module.css'

const readModes: Readonly<Record<string, string>> = {
  public: 'public',
  redacted: 'public, without personal values',
  token: 'with a token only',
}

/** Release and settings of the deployment. */
export const Service = () => {
  const { client, token } = useSession()
  const info = useServiceInfo().data
  const health = useRequest(healthQuery(client))
  return (
    <Section title="Service">
      <dl className={styles.facts}>
        <Fact name="Release">{info?.version}</Fact>
        <Fact name="Reads">
          {info?.reads === undefined ? undefined : (
            <>
              {readModes[info.reads] ?? info.reads}
              {token === undefined ? undefined : <span className="muted">, you have a token</span>}
            </>
          )}
        </Fact>
        <Fact name="E-mail domains">
          {info?.real_email_domains === undefined ? undefined : info.real_email_domains ? (
            <>real{info.reads === 'public' ? <Badge kind="error">readable by everybody</Badge> : undefined}</>
          ) : (
            'only those reserved for examples'
          )}
        </Fact>
        <Fact name="Writes">
          {health.data === undefined ? undefined : health.data.writes_enabled ? 'with a token' : 'off, no token is set'}
        </Fact>
        <Fact name="Database">
          {health.error !== null ? (
            <>
              <Badge kind="error">not known</Badge> the service did not respond
            </>
          ) : health.data === undefined ? undefined : health.data.status === 'ok' ? (
            'available'
          ) : (
            <Badge kind="error">not available</Badge>
          )}
        </Fact>
      </dl>
    </Section>
  )
}

/** Facts that the service has not sent yet, or does not send, are left out. */
const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) =>
  children === undefined ? undefined : (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
