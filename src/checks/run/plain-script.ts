import { join } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { statOf } from '../../platform/files/real-paths.ts';
import { isRecord, npmVariables, readManifestFields } from './npm-variables.ts';

/** A script of package.json that a shell can run as it is. */
export interface PlainScript {
  /** Command line for `sh`. */
  readonly shell: string;
  /** The variables that npm sets, as far as builds read them (https://docs.npmjs.com/cli/using-npm/scripts#environment). */
  readonly env: Readonly<Record<string, string>>;
}

const CALL = /^(?:npm|pnpm) run ([\w:.-]+)$/;
/** Programs that start scripts by the package manager that started them, and variables that only it knows. */
const NEEDS_MANAGER =
  /\b(npm|pnpm|yarn|bun|npx|run-s|run-p|concurrently|conc|wireit|turbo|nx|lerna|node-gyp)\b|\$\{?(npm_|INIT_CWD)/;

/**
 * The script behind `npm run build` in a folder, since the package manager takes longer to start than many a build to run.
 * Undefined for any other command, for a script with a script before or after it, and for one that needs its manager.
 */
export function plainScript(command: string, cwd: string): PlainScript | undefined {
  const name = CALL.exec(command)?.[1];
  const manifest = name === undefined ? undefined : readManifestFields(cwd);
  const scripts = manifest?.['scripts'];
  if (name === undefined || manifest === undefined || !isRecord(scripts)) return undefined;
  if (hasOwnShell(cwd)) return undefined;
  const own = (script: string): unknown => (Object.hasOwn(scripts, script) ? scripts[script] : undefined);
  const text = own(name);
  if (typeof text !== 'string' || own(`pre${name}`) !== undefined || own(`post${name}`) !== undefined)
    return undefined;
  if (text.trim() === '' || NEEDS_MANAGER.test(text)) return undefined;
  return {
    shell: text,
    env: npmVariables({ folder: cwd, name, manifest }),
  };
}

/** The manager's settings may name another shell, options of Node, or that no script is to run. */
function hasOwnShell(folder: string): boolean {
  return ['.npmrc', 'pnpm-workspace.yaml'].some((name) =>
    /shell|node.?options|ignore.?scripts/i.test(readText(join(folder, name)) ?? ''),
  );
}

function readText(path: string): string | undefined {
  return statOf(path)?.isFile() === true ? readTreeTextSync(path) : undefined;
}
