import { pathToFileURL } from 'node:url';
import { programFile } from '../platform/package-files.ts';
import { askProgram } from '../platform/processes/ask-program.ts';

/** The default export of a configuration module as plain data, or why there is none, as the end of a sentence. */
export type ModuleAnswer = { readonly data: unknown } | { readonly problem: string };

const LIMIT_MS = 30_000;

/** Runs a configuration module in a process of its own and awaits a promise that it exports. Never rejects. `path` is absolute. */
export async function runModule(path: string, limitMs = LIMIT_MS): Promise<ModuleAnswer> {
  const module = programFile('config/module-program');
  const answer = await askProgram({ module, args: [pathToFileURL(path).href], limitMs });
  return 'problem' in answer ? answer : (answer.message as ModuleAnswer);
}
