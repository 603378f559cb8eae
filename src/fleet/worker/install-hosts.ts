import { lookup } from 'node:dns/promises';
import { existsSync, readFileSync } from 'node:fs';
import { BlockList, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { messageOf } from '../../errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A server as `host:port`, in small letters. */
type Server = string;

/** Variables that name a registry. */
export const REGISTRIES = ['npm_config_registry', 'YARN_REGISTRY', 'YARN_NPM_REGISTRY_SERVER'] as const;

/**
 * The servers that an install may reach wherever they are: the registries that the worker's environment and the .npmrc of its home
 * name, and the host of the repository.
 */
export function namedServers(address: string, env: Environment): ReadonlySet<Server> {
  const named = REGISTRIES.flatMap((name) => env[name] ?? []);
  const urls = [...named, ...registriesIn(join(env['HOME'] ?? '/', '.npmrc')), address];
  return new Set(urls.flatMap(serverOf));
}

/** Where a connection goes, or why it may not. */
export type Reach = { readonly address: string } | { readonly refused: string } | { readonly away: string };

/**
 * Decides on a connection that an install asks for: to a named server, or to ports 80 and 443 of a public address. What the worker
 * reaches beside those, such as services on its loopback interface and in its network, is not for a repository.
 */
export async function reachOfHost(host: string, port: number, named: ReadonlySet<Server>): Promise<Reach> {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const isNamed = named.has(`${host.toLowerCase()}:${port}`);
  if (!isNamed && port !== 80 && port !== 443) return { refused: 'its port is neither 80 nor 443' };
  try {
    const found = (await lookup(bare, { all: true })).map(({ address }) => address);
    const address = isNamed ? found[0] : found.find(isPublic);
    return address === undefined ? { refused: 'its address is not public' } : { address };
  } catch (error) {
    return { away: messageOf(error) };
  }
}

const PRIVATE = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4');
/** Of IPv6, the addresses that are routed in the whole Internet. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');
/** Addresses that lead to one of IPv4: 6to4 and Teredo. */
const TUNNELS = new BlockList();
TUNNELS.addSubnet('2002::', 16, 'ipv6');
TUNNELS.addSubnet('2001::', 32, 'ipv6');

/** True for an address that is the same one everywhere. */
export function isPublic(address: string): boolean {
  if (!isIPv6(address)) return !PRIVATE.check(address, 'ipv4');
  return GLOBAL.check(address, 'ipv6') && !TUNNELS.check(address, 'ipv6');
}

/** Those of npm's settings, of scopes too. */
function registriesIn(file: string): string[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^\s*(?:@[^\s:=]+:)?registry\s*=\s*["']?([^\s"']+)/gm)].map(([, url]) => url!);
}

function serverOf(url: string): Server[] {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return [];
  const { hostname, port, protocol } = new URL(url);
  return [`${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`];
}
