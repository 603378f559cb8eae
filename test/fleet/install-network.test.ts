import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isPublic, namedServers, reachOfHost } from '../../src/fleet/worker/install-hosts.ts';
import { installDependencies } from '../../src/fleet/worker/install.ts';
import { openWorkerPlace } from '../../src/fleet/worker/place.ts';
import { upstreamFor } from '../../src/fleet/worker/upstream-proxy.ts';
import { hasBubblewrap } from '../support/bubblewrap.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A registry on the loopback interface, as any service of the worker may be one; it counts what it is asked for. */
async function startRegistry() {
  const folder = temporaryFolder();
  writeFiles(folder, { 'package.json': { name: 'small', version: '1.0.0' }, 'index.js': '' });
  execFileSync('npm', ['pack', '--silent'], { cwd: folder });
  const asked: string[] = [];
  const server = createServer(({ url = '' }, answer) => {
    asked.push(url);
    if (url.endsWith('.tgz')) return void answer.end(readFileSync(join(folder, 'small-1.0.0.tgz')));
    const dist = { tarball: `${address}/small-1.0.0.tgz` };
    const versions = { '1.0.0': { name: 'small', version: '1.0.0', dist } };
    answer.end(JSON.stringify({ name: 'small', 'dist-tags': { latest: '1.0.0' }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, asked };
}

function install(root: string, sandbox: 'strict' | 'off', more: Record<string, string> = {}) {
  const env = { ...process.env, HOME: temporaryFolder(), ...more };
  return installDependencies({
    place: openWorkerPlace(temporaryFolder(), env),
    ...{ root, address: root, overrides: { sandbox }, env, signal: new AbortController().signal },
  });
}

/** Asks a service for its first page: directly, and by the proxy in both ways. */
const ASKS = `
  const http = require('node:http'), net = require('node:net');
  const { host, hostname, port } = new URL(process.argv[1]);
  http.get(process.argv[1] + '/directly').on('error', () => {});
  const proxy = process.env.HTTP_PROXY && new URL(process.env.HTTP_PROXY);
  if (proxy) {
    http.get({ port: proxy.port, path: process.argv[1] + '/by-proxy' }).on('error', () => {});
    const tunnel = net.connect(proxy.port, '127.0.0.1');
    tunnel.on('error', () => {}).write('CONNECT ' + host + ' HTTP/1.1\\r\\n\\r\\n');
    tunnel.on('data', () => tunnel.write('GET /by-tunnel HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n'));
  }
  setTimeout(() => process.exit(1), 1000);
`;

describe.skipIf(!hasBubblewrap)('the package manager of a repository', () => {
  /** What a program that the repository makes npm start gets of a service of the worker. */
  const attack = async (sandbox: 'strict' | 'off'): Promise<readonly string[]> => {
    const service = await startRegistry();
    const root = temporaryFolder();
    writeFiles(root, {
      'package.json': { dependencies: { x: 'git+http://127.0.0.1:1/x.git' } },
      '.npmrc': 'git=./evil.sh\n',
      'evil.sh': `#!/bin/sh\nexec node -e "$(cat asks.js)" ${service.address}\n`,
      'asks.js': ASKS,
    });
    chmodSync(join(root, 'evil.sh'), 0o755);
    await expect(install(root, sandbox)).rejects.toMatchObject({ code: 'no_dependencies' });
    return service.asked;
  };

  it('reaches no service of the worker', async () => {
    expect(await attack('strict')).toEqual([]);
  });

  it('reaches them where the worker confines nothing', async () => {
    expect(await attack('off')).toContain('/directly');
  });

  const wants = { 'package.json': { dependencies: { small: '1.0.0' } } };

  it('reaches the registry that the worker names, wherever it is', async () => {
    const { address } = await startRegistry();
    const root = temporaryFolder();
    writeFiles(root, wants);
    await install(root, 'strict', { npm_config_registry: address });
    expect(existsSync(join(root, 'node_modules/small/index.js'))).toBe(true);
  });

  it('does not reach one of the worker that the repository names, and is told why', async () => {
    const { address, asked } = await startRegistry();
    const root = temporaryFolder();
    writeFiles(root, { ...wants, '.npmrc': `registry=${address}\n` });
    await expect(install(root, 'strict')).rejects.toThrow(
      /127\.0\.0\.1:\d+ is not reached, because its port is neither 80 nor 443, and the worker does not name it/,
    );
    expect(asked).toEqual([]);
  });
});

it.each([
  ['localhost', 443],
  ['127.0.0.1', 80],
  ['2130706433', 80],
  ['[::1]', 443],
  ['[::ffff:127.0.0.1]', 443],
  ['169.254.169.254', 80],
  ['10.1.2.3', 443],
  ['[fd00::1]', 443],
  ['[2002:7f00:1::]', 443],
  ['93.184.215.14', 5432],
])('refuses %s:%s, unless the worker names it', async (host, port) => {
  expect(await reachOfHost(host, port, new Set())).toHaveProperty('refused');
  expect(await reachOfHost(host, port, new Set([`${host}:${port}`]))).toHaveProperty('address');
});

it('permits public addresses', async () => {
  expect(['93.184.215.14', '172.32.0.1', '2606:2800:21f::1'].map(isPublic)).toEqual([true, true, true]);
  expect(await reachOfHost('93.184.215.14', 443, new Set())).toEqual({ address: '93.184.215.14' });
});

it('names the registries of the worker and the host of the repository', () => {
  const home = temporaryFolder();
  writeFiles(home, {
    '.npmrc':
      'registry=https://npm.corp/\n@octo:registry = "http://10.0.0.5:4873/x"\n//npm.corp/:_authToken=t\n',
  });
  const env = { HOME: home, YARN_REGISTRY: 'https://yarn.corp' };
  expect([...namedServers('https://git.corp/octo/shop.git', env)].sort()).toEqual([
    ...['10.0.0.5:4873', 'git.corp:443', 'npm.corp:443', 'yarn.corp:443'],
  ]);
  expect([...namedServers('git@git.corp:octo/shop.git', {})]).toEqual([]);
});

it('goes by the proxy of the environment, but not to the hosts that are excepted', () => {
  const env = { HTTPS_PROXY: 'http://user:pa%20ss@proxy:3128', NO_PROXY: 'corp, .local' };
  const login = Buffer.from('user:pa ss').toString('base64');
  const proxy = { host: 'proxy', port: 3128, headers: { 'proxy-authorization': `Basic ${login}` } };
  expect(upstreamFor('registry.npmjs.org', true, env)).toEqual(proxy);
  for (const host of ['npm.corp', 'corp', 'x.local']) expect(upstreamFor(host, true, env)).toBe(undefined);
  expect(upstreamFor('registry.npmjs.org', false, env)).toBe(undefined);
});
