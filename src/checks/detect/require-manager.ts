import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import type { ProjectPlan } from '../../ports.ts';

type Manager = ProjectPlan['packageManager']['name'];

const INSTALL: Readonly<Record<Manager, string>> = {
  npm: 'It comes with Node.js: https://nodejs.org',
  pnpm: 'corepack enable pnpm, or npm install --global pnpm',
  yarn: 'corepack enable yarn, or npm install --global yarn',
  bun: 'npm install --global bun',
};

/**
 * Throws RalphError (no_dependencies) where the test command that confirms a result needs a package manager which is
 * not on the PATH: every attempt would fail at its confirmation.
 */
export function requireManager(
  { packageManager, testCommand }: ProjectPlan,
  path = process.env['PATH'],
): void {
  const { name } = packageManager;
  if (testCommand?.command.startsWith(`${name} `) !== true) return;
  if ((path ?? '').split(delimiter).some((folder) => existsSync(join(folder || '.', name)))) return;
  throw new RalphError(`${name} is not on the PATH; the tests run by "${testCommand.command}".`, {
    code: 'no_dependencies',
    exitCode: ExitCode.check,
    hint: `Install it: ${INSTALL[name]}\nor name another test command: --check tests="…"`,
  });
}
