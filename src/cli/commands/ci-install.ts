import { installPackages } from '../../compose/install.ts';
import { ExitCode, usageError } from '../../errors.ts';
import { printable } from '../../platform/text/printable.ts';
import { redact } from '../../platform/redaction/redact.ts';
import { quietSection } from '../../report/workflow-commands.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { printWarning } from '../messages.ts';
import { settingsFromOptions } from '../options.ts';

/** `ralph ci install COMMAND`: exit code 0, or 6 if the command fails. */
export async function ciInstallCommand(
  command: string,
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (command.trim() === '')
    throw usageError('The command is empty.', 'For example: ralph ci install "npm ci"');
  const section = process.env.GITHUB_ACTIONS === 'true' ? quietSection() : undefined;
  const interruption = listenForInterrupts(printWarning, 1);
  if (section !== undefined) process.stdout.write(`${section.begin}\n`);
  try {
    const exitCode = await installPackages({
      command,
      cwd: process.cwd(),
      flags: settingsFromOptions(options),
      signal: interruption.signal,
      onOutput: (text) => process.stdout.write(printable(redact(text))),
    });
    if (interruption.signal.aborted) process.exitCode = interruption.exitCode();
    else if (exitCode !== 0) process.exitCode = ExitCode.check;
  } finally {
    if (section !== undefined) process.stdout.write(`\n${section.end}\n`);
    interruption.close();
  }
}
