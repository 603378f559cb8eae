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
 * Throws RalphError (no_dependencies) where the package manager whose test command confirms a result is not on the
 * PATH: every attempt would be refused at its very end.
 */
export function requireManager(
  { packageManager, testCommand }: ProjectPlan,
  path = process.env['PATH'],
): void {
  const { name } = packageManager;
  if (testCommand?.command.startsWith(`${name} `) !== true) return;
  if ((path ?? '').split(delimiter).some((folder) => existsSync(join(folder || '.', name)))) return;
  throw new RalphError(`The tests run by "${testCommand.command}" here, and ${name} is not on the PATH.`, {
    code: 'no_dependencies',
    exitCode: ExitCode.check,
    hint: `Install it: ${INSTALL[name]}\nor name another test command: --check tests="…"`,
  });
}
