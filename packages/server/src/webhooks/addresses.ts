/** Which network addresses an endpoint may be connected to. */
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** `special` are all others, such as link-local and multicast addresses: no message is ever sent to them. */
export type AddressKind = 'public' | 'private' | 'loopback' | 'special'

const kindByRange: Readonly<Record<string, AddressKind>> = {
  unicast: 'public',
  private: 'private',
  uniqueLocal: 'private',
  carrierGradeNat: 'private',
  loopback: 'loopback',
}

/** The only IPv6 addresses that IANA has assigned for global unicast. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** IPv4 addresses in IPv6 (mapped, NAT64, 6to4) are special: a receiver has no reason to have one. */
export const kindOfAddress = (text: string): AddressKind => {
  const address = ipaddr.parse(text)
  const kind = kindByRange[address.range()] ?? 'special'
  return kind === 'public' && address instanceof ipaddr.IPv6 && !address.match(globalUnicast) ? 'special' : kind
}

/** The address in the host of a URL, undefined if the host is a name. */
export const addressInUrl = ({ hostname }: URL): string | undefined => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? undefined : host
}

/** Only these hosts may be called without TLS. A name that happens to resolve to a loopback address is not one of them. */
export const isLoopbackUrl = (url: URL): boolean => {
  const address = addressInUrl(url)
  return address === undefined ? url.hostname === 'localhost' : kindOfAddress(address) === 'loopback'
}

export const allowedKinds = (url: URL, allowPrivateNetwork: boolean): ReadonlySet<AddressKind> =>
  new Set(isLoopbackUrl(url) ? ['loopback'] : allowPrivateNetwork ? ['public', 'private'] : ['public'])

export class RefusedAddress extends Error {}

/** As `dns.lookup` with `all`. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true },
  callback: (
    error: NodeJS.ErrnoException | null,
    addresses: readonly { readonly address: string; readonly family: number }[],
  ) => void,
) => void

/**
 * The option `lookup` of a connection. The socket connects to the addresses that were checked here, so a name that
 * resolves to another address a moment later (DNS rebinding) changes nothing. Hosts that are addresses are not looked
 * up.
 */
export const guardedLookup =
  (allowed: ReadonlySet<AddressKind>, resolve: Resolve = lookup as Resolve): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const refused = addresses?.find(({ address }) => !allowed.has(kindOfAddress(address)))
      const [first] = addresses ?? []
      if (error !== null) callback(error, [])
      else if (refused !== undefined)
        callback(new RefusedAddress(`the host has a ${kindOfAddress(refused.address)} address`), [])
      else if (first === undefined || options.all) callback(null, [...addresses])
      else callback(null, first.address, first.family)
    })
  }
