import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readTreeTextSync } from '../../../platform/files/read-bounded.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../platform/files/temporary-folder.ts';
import { programFile } from '../../../platform/package-files.ts';
import { runProcess } from '../../../platform/processes/process.ts';
import { toolEnvironment } from '../../../platform/processes/tool-environment.ts';
import type { Sandbox } from '../../../platform/sandbox/sandbox.ts';
import { OBSERVED_FILE, type ObservedProcess, type ObservedProgram } from '../../results/observed-program.ts';
import { scopeOf } from './check-scripts.ts';
import type { PackageContext } from '../packages/package-context.ts';
import { expandScript } from './steps.ts';
import { stepKey, type ObservedCommand, type ObservedWrapper, type Step } from './step.ts';

/** First words by which a wrapper such as `kcd-scripts` tests, lints or checks types. */
const MODE = /^(test|tests|unit|specs?|lint|typecheck|type-check|types|check|check-types)$/;
/** They run many packages, and keep results in a cache that a stopped program would make wrong. */
const TASK_RUNNERS =
  /^(turbo|nx|lerna|lage|moon|rush|wireit|wsrun|beachball|npm|pnpm|yarn|bun|deno|ng|hardhat)$/;
const MAX_WRAPPERS = 6;
/** The line by which a wrapper says that it has no script of a name. */
const MISSING =
  /^.*\b(?:(?:script|command|task)\b.*\b(?:does not exist|not found|is unknown)|(?:unknown|missing|no such) (?:script|command|task))\b.*$/im;
const TIMEOUT_MS = 20_000;
/** Variables that every process has, or that a package manager sets. */
const NOT_SET_BY_WRAPPER =
  /^(npm_|RALPH_|NODE_OPTIONS$|PATH$|PWD$|OLDPWD$|SHLVL$|_$|INIT_CWD$|NODE$|CI$|COLOR$|FORCE_COLOR$|NODE_PATH$|COREPACK_|YARN_|BERRY_|TMPDIR$)/;

/**
 * The programs that the wrappers in a package's scripts start, by the wrapper's words. Each wrapper runs once; the test
 * runners, type checkers and linters that it starts are stopped at their start, so that only their command lines are
 * known. Wrappers of which nothing was seen, and that have the script, are absent. Never rejects.
 */
export async function observeWrappers(
  place: PackageContext,
  openSandbox: () => Promise<Sandbox | undefined>,
): Promise<ReadonlyMap<string, ObservedWrapper>> {
  const wrappers = wrappersOf(place);
  if (wrappers.length === 0) return new Map();
  const sandbox = await openSandbox();
  const observed = await Promise.all(
    wrappers.map(async (step) => [stepKey(step), await observe(step, place, sandbox)] as const),
  );
  return new Map(
    observed.filter(([, { commands, missing }]) => commands.length > 0 || missing !== undefined),
  );
}

function wrappersOf(place: PackageContext): Step[] {
  const steps = Object.keys(place.manifest.scripts).flatMap((name) => expandScript(name, scopeOf(place)));
  const wrappers = steps.filter((step) => isWrapper(step, place));
  return [...new Map(wrappers.map((step) => [stepKey(step), step])).values()].slice(0, MAX_WRAPPERS);
}

function isWrapper({ kind, program, args, dir }: Step, place: PackageContext): boolean {
  if (kind !== 'other' || TASK_RUNNERS.test(program) || !MODE.test(args[0] ?? '')) return false;
  return [dir, place.dir, place.root].some((folder) =>
    existsSync(join(folder, 'node_modules', '.bin', program)),
  );
}

async function observe(
  step: Step,
  place: PackageContext,
  sandbox: Sandbox | undefined,
): Promise<ObservedWrapper> {
  const folder = makeTemporaryFolder('observe');
  const file = join(folder, 'programs');
  const preload = pathToFileURL(programFile('checks/reporters/observe-programs')).href;
  const env = toolEnvironment([step.dir, place.root], {
    ...step.env,
    CI: '1',
    NODE_OPTIONS: `--import=${preload}`,
    [OBSERVED_FILE]: file,
  });
  try {
    const { exitCode, stdout, stderr } = await runProcess({
      shell: step.text,
      cwd: step.dir,
      env,
      timeoutMs: TIMEOUT_MS,
      sandbox: sandbox?.allowing({ write: [folder] }),
    });
    const lines = existsSync(file) ? readTreeTextSync(file).split('\n').filter(Boolean) : [];
    const seen = lines.map((line) => JSON.parse(line) as ObservedProgram | ObservedProcess);
    const tools = seen.filter((it) => 'program' in it);
    const commands = tools.flatMap((it) => toCommand(it, place, env) ?? []);
    const isKnown =
      commands.length === tools.length && !tools.some(({ isInWrapper }) => isInWrapper === true);
    const others = seen.filter((it) => 'package' in it).map((it) => it.package);
    const missing =
      exitCode !== 0 && tools.length === 0 ? MISSING.exec(`${stderr}\n${stdout}`)?.[0].trim() : undefined;
    return {
      commands,
      succeeded: exitCode === 0 && isKnown && isWrapperAlone(others),
      ...(missing !== undefined && { missing }),
    };
  } finally {
    removeTemporaryFolder(folder);
  }
}

/** Programs between a wrapper and its tools that do nothing of their own. */
const MANAGERS = ['npm', 'pnpm', 'yarn', 'corepack'];

/** Whether only the wrapper itself ran beside the tools: another program, such as c8, may need what they write. */
function isWrapperAlone([wrapper, ...others]: readonly (string | null)[]): boolean {
  if (wrapper === undefined || wrapper === null) return false;
  return others.every((name) => name === wrapper || MANAGERS.includes(name ?? ''));
}

/** Undefined for a program outside the repository. */
function toCommand(
  { program, args, cwd, env, installedIn }: ObservedProgram,
  { root }: PackageContext,
  given: Readonly<Record<string, string | undefined>>,
): ObservedCommand | undefined {
  if (relative(root, cwd).startsWith('..')) return undefined;
  const set = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && entry[1] !== given[entry[0]] && !NOT_SET_BY_WRAPPER.test(entry[0]),
  );
  return {
    words: [program, ...args.map((word) => withoutPlace(word, cwd))],
    env: Object.fromEntries(set),
    dir: cwd,
    ...(installedIn !== undefined && { installedIn }),
  };
}

/** The check runs in a copy of the repository: paths below the wrapper's folder become relative to it. */
function withoutPlace(word: string, cwd: string): string {
  if (word === cwd) return '.';
  return /^\s*\{/.test(word) ? word.replaceAll(`"${cwd}/`, '"<rootDir>/') : word.replace(`${cwd}/`, './');
}
