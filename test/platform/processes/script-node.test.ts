import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { pathWithRecentNode, scriptNode } from '../../../src/platform/processes/script-node.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const OWN = { path: process.execPath, version: process.versions.node };

describe('the Node of the scripts', () => {
  it('is the first one on the PATH, with its version', () => {
    const [first, second] = [nodeFolder('v24.1.0'), nodeFolder('v22.18.0')];
    const path = ['/nonexistent', first, second].join(delimiter);
    expect(scriptNode(path)).toEqual({ path: join(first, 'node'), version: '24.1.0' });
  });

  it('is the Node that runs ralph where the PATH has the same one, or none', () => {
    const bin = temporaryFolder();
    symlinkSync(process.execPath, join(bin, 'node'));
    expect(scriptNode(bin)).toEqual(OWN);
    expect(scriptNode(temporaryFolder())).toEqual(OWN);
    expect(scriptNode('')).toEqual(OWN);
  });

  it('has the version that its starter named', () => {
    const bin = nodeFolder('v24.2.0');
    vi.stubEnv('RALPH_STARTED_BY', `22.19.0 ${join(bin, 'node')}`);
    expect(scriptNode(bin)).toEqual({ path: join(bin, 'node'), version: '22.19.0' });
    expect(scriptNode(nodeFolder('v24.2.0'))).toHaveProperty('version', '24.2.0');
    vi.unstubAllEnvs();
  });

  it('is never started to ask for its version where packages of the repository have put it', () => {
    const root = temporaryFolder();
    const [bin, own] = [join(root, 'node_modules', '.bin'), join(root, 'node_modules', 'node', 'bin')];
    for (const folder of [bin, own]) mkdirSync(folder, { recursive: true });
    const started = join(root, 'started');
    writeFileSync(join(own, 'node'), `#!/bin/sh\ntouch '${started}'\necho v24.3.0\n`, { mode: 0o755 });
    symlinkSync('../node/bin/node', join(bin, 'node'));
    expect(scriptNode(bin)).toEqual(OWN);
    writeFileSync(join(own, '..', 'package.json'), '{"name":"node","version":"24.1.0"}');
    expect(scriptNode(`${bin}${delimiter}/nonexistent`)).toEqual({
      path: join(bin, 'node'),
      version: '24.1.0',
    });
    expect(existsSync(started)).toBe(false);
  });

  it.each(['v18.20.8', 'v20.15.1', 'v22.17.9', 'no version'])('is no Node that answers %s', (answer) => {
    expect(scriptNode(nodeFolder(answer))).toEqual(OWN);
  });
});

it('is set before an older one where tests load modules of ralph', () => {
  const [older, recent] = [nodeFolder('v18.20.8'), nodeFolder('v24.1.0')];
  expect(pathWithRecentNode(recent)).toBe(recent);
  expect(pathWithRecentNode(`${older}${delimiter}${recent}`)).toBe(
    [dirname(process.execPath), older, recent].join(delimiter),
  );
});

/** A folder with a program `node` that prints this version. */
function nodeFolder(version: string): string {
  const bin = join(temporaryFolder(), 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'node'), `#!/bin/sh\necho '${version}'\n`);
  chmodSync(join(bin, 'node'), 0o755);
  return bin;
}
