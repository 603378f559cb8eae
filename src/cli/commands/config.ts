import { openProject } from '../../compose/project.ts';
import { configOf, type OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

/** `ralph config show`: every setting as it is resolved here, and the file that it came from. */
export async function configShowCommand(options: OutputOptions): Promise<void> {
  const { settings, configFile } = await openProject({
    cwd: process.cwd(),
    flags: configOf({ ...options }),
    env: process.env,
  });
  printResult(options, { file: configFile ?? null, settings }, (chalk) => [
    chalk.dim(configFile === undefined ? 'no configuration file; defaults, variables and flags' : configFile),
    ...Object.entries(settings).map(([key, value]) => `${key.padEnd(16)} ${render(value)}`),
  ]);
}

function render(value: unknown): string {
  return value === undefined ? '(unset)' : typeof value === 'string' ? value : JSON.stringify(value);
}
