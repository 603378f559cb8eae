import { relative, resolve } from 'node:path';
import { installPackages } from '../../compose/install.ts';
import { NO_PATCH, withDefaultChecks } from '../../ci/default-checks.ts';
import { ExitCode, RalphError, usageError } from '../../errors.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { printable } from '../../platform/text/printable.ts';
import { redact } from '../../platform/redaction/redact.ts';
import { quietSection } from '../../report/workflow-commands.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { printWarning } from '../messages.ts';
import { settingsFromOptions } from '../options.ts';

export interface CiInstallOptions {
  /** Folder of a plan, whose default branch says which scripts run and what configures the package manager. */
  readonly plan?: string;
}

/** `ralph ci install COMMAND`: exit code 0, or 6 if the command fails or must not run. */
export async function ciInstallCommand(command: string, options: CiInstallOptions): Promise<void> {
  if (command.trim() === '')
    throw usageError('The command is empty.', 'For example: ralph ci install "npm ci"');
  const section = process.env.GITHUB_ACTIONS === 'true' ? quietSection() : undefined;
  const interruption = listenForInterrupts(printWarning, 1);
  if (section !== undefined) process.stdout.write(`${section.begin}\n`);
  try {
    const install = (): Promise<number> =>
      installPackages({
        command,
        cwd: process.cwd(),
        flags: settingsFromOptions({ ...options }),
        signal: interruption.signal,
        onOutput: (text) => process.stdout.write(printable(redact(text))),
      });
    const exitCode =
      options.plan === undefined ? await install() : await asDefaultBranch(options.plan, command, install);
    if (interruption.signal.aborted) process.exitCode = interruption.exitCode();
    else if (exitCode !== 0) process.exitCode = ExitCode.check;
  } finally {
    if (section !== undefined) process.stdout.write(`\n${section.end}\n`);
    interruption.close();
  }
}

/** Scripts that the package manager runs by itself. */
const LIFECYCLE = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
];

async function asDefaultBranch(
  plan: string,
  command: string,
  install: () => Promise<number>,
): Promise<number> {
  const root = findRepositoryRoot(process.cwd());
  const cwd = relative(root, process.cwd()) || '.';
  const lines = [command, ...LIFECYCLE.map((name) => `npm run ${name}`)];
  const done = await withDefaultChecks(root, resolve(plan), async (checks) => {
    const taken = await checks.take(
      lines.map((line) => ({ command: line, cwd })),
      NO_PATCH,
    );
    return taken.ok ? install() : taken.text;
  });
  if (typeof done === 'number') return done;
  throw new RalphError(`The packages are not installed by the rules of the default branch: ${done}`, {
    code: 'repository_unusable',
    exitCode: ExitCode.check,
  });
}
