/** Which client a request belongs to: the peer, or the address a trusted proxy forwards. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { BlockList, isIP } from 'node:net'
import { networkOf } from './rate-limits.ts'

export interface ClientAddresses {
  /** The network of the peer; undefined for a trusted proxy, whose requests belong to many clients. */
  ofConnection(socket: Socket): string | undefined
  /** By the rule of Fastify's trustProxy: the last address in X-Forwarded-For that is not a trusted proxy. */
  ofForwarded(request: IncomingMessage): string
}

export const openClientAddresses = (trustedProxies: readonly string[]): ClientAddresses => {
  const trusted = new BlockList()
  for (const proxy of trustedProxies) {
    const [address = '', bits] = proxy.split('/')
    const family = familyOf(address)
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, familyOf(address))
  return {
    ofConnection: ({ remoteAddress = '' }) =>
      trustedProxies.length > 0 && isTrusted(remoteAddress) ? undefined : networkOf(remoteAddress),
    ofForwarded({ socket, headers }) {
      const header = headers['x-forwarded-for']
      const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
      let client = socket.remoteAddress ?? ''
      for (let at = forwarded.length - 1; at >= 0 && isTrusted(client); at -= 1)
        client = forwarded[at]?.trim() || client
      return networkOf(client)
    },
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
