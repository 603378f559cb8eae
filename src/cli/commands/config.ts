import { confirmTrust } from '../confirm-trust.ts';
import { openProject } from '../../compose/project.ts';
import { settingsFromOptions, type OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

/** `ralph config show`: prints every resolved setting and the configuration file. */
export async function configShowCommand(options: OutputOptions): Promise<void> {
  const { settings, configFile } = await openProject({
    cwd: process.cwd(),
    flags: settingsFromOptions({ ...options }),
    env: process.env,
    confirm: confirmTrust(),
  });
  printResult(options, { file: configFile ?? null, settings }, (chalk) => [
    chalk.dim(
      configFile === undefined
        ? 'no configuration file: values from defaults, environment and flags'
        : configFile,
    ),
    ...Object.entries(settings).map(([key, value]) => `${key.padEnd(16)} ${renderValue(value)}`),
  ]);
}

function renderValue(value: unknown): string {
  return value === undefined ? '(unset)' : typeof value === 'string' ? value : JSON.stringify(value);
}
