import { readFileSync } from 'node:fs';
import { packageFile } from '../../platform/package-files.ts';
import type { HookCommands, HookFile } from './hook-file.ts';

const PLUGIN = 'plugins/opencode/ralph-gate.js';
/** The line of the plugin with the program and its first arguments. */
const COMMAND_LINE = /^const RALPH = .*$/m;
const OPTIONS_LINE = /^const OPTIONS = .*$/m;

/** opencode: a plugin in the folder that it reads by itself. */
export function opencodeFiles({ program, options }: HookCommands): HookFile[] {
  const text = readFileSync(packageFile(PLUGIN), 'utf8')
    .replace(COMMAND_LINE, () => `const RALPH = ${JSON.stringify(program)};`)
    .replace(OPTIONS_LINE, () => `const OPTIONS = ${JSON.stringify(options)};`);
  const path = '.opencode/plugins/ralph-gate.js';
  return [{ kind: 'whole', path, text, isExecutable: false, byHand: `the content of ${PLUGIN}` }];
}
