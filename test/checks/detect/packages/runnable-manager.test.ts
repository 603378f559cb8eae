import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ManagerFacts } from '../../../../src/checks/detect/packages/package-manager.ts';
import { runnableManager } from '../../../../src/checks/detect/packages/runnable-manager.ts';
import { temporaryFolder, writeFiles } from '../../../support/repositories.ts';

function factsOf(name: ManagerFacts['name'], more: Partial<ManagerFacts> = {}): ManagerFacts {
  return {
    name,
    runner: name,
    installCommand: `${name} install`,
    testCommand: `${name} test`,
    runsHooks: true,
    plugAndPlay: false,
    source: 'lockfile',
    ...more,
  };
}

function scripts(test?: string, more: Record<string, string> = {}) {
  return {
    scripts: { ...(test !== undefined && { test }), ...more },
    dependencies: [],
    sections: new Set<string>(),
  };
}

function pathWith(...programs: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const program of programs) {
    writeFileSync(join(folder, program), '#!/bin/sh\n');
    chmodSync(join(folder, program), 0o755);
  }
  return ['/nowhere', folder].join(delimiter);
}

test.each(['pnpm', 'yarn', 'bun'] as const)('npm runs the scripts where %s is not on the PATH', (name) => {
  const facts = factsOf(name);
  const manifest = scripts('vitest run', { release: `${name} publish` });
  expect(runnableManager({ root: '/nowhere', facts, manifest, path: pathWith('npm', name) })).toBe(facts);
  expect(runnableManager({ root: '/nowhere', facts, manifest, path: pathWith('npm') })).toEqual({
    ...facts,
    runner: 'npm',
    testCommand: 'npm test',
  });
});

test('npm runs the scripts where a modern yarn did not install the packages', () => {
  const root = temporaryFolder();
  const facts = factsOf('yarn', { runsHooks: false });
  const request = { root, facts, manifest: scripts('vitest run'), path: pathWith('npm', 'yarn') };
  expect(runnableManager(request).runner).toBe('yarn');
  writeFiles(root, { 'node_modules/a/package.json': {} });
  expect(runnableManager(request)).toMatchObject({ runner: 'npm', testCommand: 'npm test', runsHooks: true });
  writeFiles(root, { 'node_modules/.yarn-state.yml': '' });
  expect(runnableManager(request).runner).toBe('yarn');
});

test.each([
  ['npm', factsOf('npm'), scripts('vitest run'), []],
  ['pnpm, which the test script calls', factsOf('pnpm'), scripts('pnpm run "/^test:/"'), ['npm']],
  [
    'bun, which a script of the test script calls',
    factsOf('bun'),
    scripts('npm-run-all unit', { unit: 'bun test' }),
    ['npm'],
  ],
  ['yarn with Plug and Play', factsOf('yarn', { plugAndPlay: true }), scripts('jest'), ['npm']],
])('%s is required, with a hint how to install it', (_, facts, manifest, programs) => {
  expect(() => runnableManager({ root: '/nowhere', facts, manifest, path: pathWith(...programs) })).toThrow(
    expect.objectContaining({
      code: 'no_dependencies',
      exitCode: 6,
      message: expect.stringContaining(`${facts.name} is not on the PATH`) as string,
      hint: expect.stringMatching(/--check tests=/) as string,
    }) as Error,
  );
});

test('requires no package manager where there is no test script', () => {
  const facts = factsOf('pnpm');
  expect(runnableManager({ root: '/nowhere', facts, manifest: scripts(), path: '' })).toBe(facts);
});
