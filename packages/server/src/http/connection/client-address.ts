/** The client of a request: the peer, or the address that a trusted proxy forwards. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { BlockList, isIP } from 'node:net'

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

export const openClientAddresses = (trustedProxies: readonly string[]): ClientAddresses => {
  const trustedNetworks = new BlockList()
  for (const proxy of trustedProxies) {
    const [address = '', bits] = proxy.split('/')
    const family = familyOf(address)
    if (bits === undefined) trustedNetworks.addAddress(address, family)
    else trustedNetworks.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trustedNetworks.check(address, familyOf(address))
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

/** An IPv6 client can use every address of its /64 network, so the network counts as one address. */
export const networkOf = (address = ''): string => {
  const mappedIpv4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mappedIpv4 !== undefined || !address.includes(':')) return mappedIpv4 ?? address
  const [head = '', tail] = address.split('::')
  const groupsOf = (text: string): string[] => text.split(':').filter((group) => group !== '')
  const [headGroups, tailGroups] = [groupsOf(head), groupsOf(tail ?? '')]
  const zeros = Array.from({ length: 8 - headGroups.length - tailGroups.length }, () => '0')
  return `${[...headGroups, ...zeros, ...tailGroups].slice(0, 4).join(':')}::/64`
}
