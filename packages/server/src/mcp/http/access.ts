import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { Settings } from '../../settings/settings.js';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether only this machine can reach an address to bind to. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  return family === 0 ? address.toLowerCase() === 'localhost' : LOOPBACK.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** @throws Error if other machines could reach a server that requires no key */
export function assertSafeBinding({ Http, Auth }: Settings): void {
  if (isLoopback(Http.Host) || Auth.Keys.length > 0) return;
  throw new Error(
    `Http.Host is '${Http.Host}', which other machines can reach, and Auth.Keys is empty. ` +
      'Add a key to Auth.Keys, or leave Http.Host at 127.0.0.1.',
  );
}

/** Whether it is unclear which host a request is for (RFC 9112 §3.2): proxies and Node may take different ones. */
export function isAmbiguous({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1;
}

/** Why a request is refused; undefined if it is accepted. Protects servers on loopback from web pages. */
export type AddressCheck = (req: IncomingMessage) => string | undefined;

/** Checks the headers Host and Origin (DNS rebinding). A request without Origin is not from a web page. */
export function createAddressCheck({ Http }: Settings): AddressCheck {
  const hosts = [...localhostAllowedHostnames(), ...[...Http.AllowedHosts, Http.Host].map(bracketed)];
  const origins = Http.AllowedOrigins.map(lowerCase);
  return ({ headers }) => {
    const host = validateHostHeader(headers.host, hosts);
    if (!host.ok) return `${host.message}. Names other than those of this machine must be in Http.AllowedHosts.`;
    const { origin } = headers;
    if (origin !== undefined && origins.includes(origin.toLowerCase())) return undefined;
    const check = validateOriginHeader(origin, [...localhostAllowedHostnames(), ...origins]);
    return check.ok ? undefined : `${check.message}. Web pages of other origins must be in Http.AllowedOrigins.`;
  };
}

/** Finds the name of the key that a request carries: '' when no keys are set, undefined when it has none that is right. */
export type KeyCheck = (req: IncomingMessage) => string | undefined;

/** Compares in constant time: digests of the same length, and always all of them. */
export function createKeyCheck({ Auth }: Settings): KeyCheck {
  if (Auth.Keys.length === 0) return () => '';
  const keys = Auth.Keys.map(({ Name, Key }) => ({ name: Name, digest: digestOf(Key) }));
  return ({ headers }) => {
    const token = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) return undefined;
    const digest = digestOf(token);
    return keys.filter((key) => timingSafeEqual(key.digest, digest))[0]?.name;
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host.toLowerCase();
}
