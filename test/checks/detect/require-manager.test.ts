import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { requireManager } from '../../../src/checks/detect/require-manager.ts';
import type { PackageManager, ProjectPlan } from '../../../src/ports.ts';

function planOf(name: PackageManager['name'], command?: string): ProjectPlan {
  return {
    repository: '/nowhere',
    packageDir: '.',
    checks: [],
    notes: [],
    packageManager: { name, installCommand: `${name} install` },
    ...(command !== undefined && { testCommand: { command, cwd: '.' } }),
  };
}

function folderWith(program: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, program), '#!/bin/sh\n');
  chmodSync(join(folder, program), 0o755);
  return folder;
}

test.each(['npm', 'pnpm', 'yarn', 'bun'] as const)(
  'reports that %s is not on the PATH, with a hint how to install it',
  (name) => {
    const plan = planOf(name, `${name} test`);
    expect(() => requireManager(plan, '/nowhere:/nothing')).toThrow(
      expect.objectContaining({
        code: 'no_dependencies',
        exitCode: 6,
        message: expect.stringContaining(`${name} is not on the PATH`) as string,
        hint: expect.stringMatching(/--check tests=/) as string,
      }) as Error,
    );
    expect(() => requireManager(plan, `/nowhere:${folderWith(name)}`)).not.toThrow();
  },
);

test('requires no package manager where the test command uses none', () => {
  expect(() => requireManager(planOf('pnpm'), '')).not.toThrow();
});
