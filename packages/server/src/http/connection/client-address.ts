/** The client of a request: the peer, or the address that a trusted proxy forwards. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { BlockList, isIP, SocketAddress } from 'node:net'

export interface ClientAddresses {
  /**
   * The peer's address, or its network for IPv6; undefined for a trusted proxy, whose requests belong to many clients.
   */
  ofConnection(socket: Socket): string | undefined
  /**
   * Follows the rule of Fastify's trustProxy: the client is the last address in X-Forwarded-For that is not a trusted
   * proxy.
   */
  ofForwarded(request: IncomingMessage): string
}

/** Whether an address, which may have a port, is that of a trusted proxy. */
export const trustIn = (trustedProxies: readonly string[]): ((address: string) => boolean) => {
  const trustedNetworks = new BlockList()
  for (const proxy of trustedProxies) {
    const [address = '', bits] = proxy.split('/')
    const family = familyOf(address)
    if (bits === undefined) trustedNetworks.addAddress(address, family)
    else trustedNetworks.addSubnet(address, Number(bits), family)
  }
  return (text) => {
    const address = addressIn(text)
    return address !== undefined && trustedNetworks.check(address, familyOf(address))
  }
}

export const openClientAddresses = (trustedProxies: readonly string[]): ClientAddresses => {
  const isTrusted = trustIn(trustedProxies)
  return {
    ofConnection: ({ remoteAddress = '' }) =>
      trustedProxies.length > 0 && isTrusted(remoteAddress) ? undefined : networkOf(remoteAddress),
    ofForwarded({ socket, headers }) {
      const header = headers['x-forwarded-for']
      const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
      let client = socket.remoteAddress ?? ''
      for (let index = forwarded.length - 1; index >= 0 && isTrusted(client); index -= 1)
        client = forwarded[index]?.trim() || client
      return networkOf(client)
    },
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Some proxies write the port after the address, as in `198.51.100.7:4711` and `[2001:db8::7]:4711`. */
const portSuffix = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/

/** The address without its port, in one spelling of the several that IPv6 has; undefined if the text is no address. */
const addressIn = (text: string): string | undefined => {
  const [, ipv6, ipv4] = portSuffix.exec(text) ?? []
  const address = ipv6 ?? ipv4 ?? text
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined
  const normalized = new SocketAddress({ address, family: 'ipv6' }).address
  return /^::ffff:([\d.]+)$/.exec(normalized)?.[1] ?? normalized
}

/** All clients without an address share one, so that an invented address brings no limits of its own. */
const unknownAddress = 'unknown'

/** An IPv6 client can use every address of its /64 network, so the network counts as one address. */
export const networkOf = (text = ''): string => {
  const address = addressIn(text)
  if (address === undefined) return unknownAddress
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const groupsOf = (part: string): string[] => part.split(':').filter((group) => group !== '')
  const [headGroups, tailGroups] = [groupsOf(head), groupsOf(tail ?? '')]
  const zeros = Array.from({ length: 8 - headGroups.length - tailGroups.length }, () => '0')
  return `${[...headGroups, ...zeros, ...tailGroups].slice(0, 4).join(':')}::/64`
}
