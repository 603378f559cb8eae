import { globSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '../../../platform/processes/shell-words.ts';
import { toolOf, toolsOf } from '../../../tools.ts';
import { type Classified, classifyCommand } from './classify.ts';
import { packageCallsOf } from './package-calls.ts';
import { scriptCallsOf, withArguments, type ScriptCall } from './script-calls.ts';
import { parseCommandLine, type ShellCommand } from './shell.ts';
import { stepKey, type ObservedCommand, type ScriptScope, type Step } from './step.ts';
import { buildBefore, runsInRoot, type WorkspacePackage } from '../packages/workspaces.ts';
import { coverageWrapper, unwrapCommand, type Unwrapped } from './wrappers.ts';

/** Names of the runners, and of the type checkers, that take file names and no patterns. */
const [NEEDS_TESTS, NEEDS_SOURCES] = (['tests', 'types'] as const).map((kind) => {
  const names = toolsOf(kind).filter((name) => toolOf(name).needsExpandedGlobs);
  return new RegExp(String.raw`\b(${names.join('|')})\b`);
}) as [RegExp, RegExp];
const SOURCE = /\.[cm]?[jt]sx?$/;

const MAX_DEPTH = 8;
const MAX_STEPS = 200;
const SHELL_WORDS = new Set(['[', '[[', 'test', 'if', 'for', 'while', 'until', 'case', '!', '{', 'wait']);

/**
 * The commands that a script runs in the end, in order: with its `pre` and `post` scripts and the scripts that it
 * calls, and without wrappers. A called script that only builds stays one step. Depth and number of steps are
 * bounded, since scripts may call each other.
 */
export function expandScript(name: string, scope: ScriptScope): Step[] {
  const start = { scope, source: '', depth: 0, budget: { steps: MAX_STEPS } };
  return expandNamed({ script: name, args: [], hooks: true }, start);
}

/** The same for a command line outside of any script. `source`: where the line is from. */
export function expandLine(line: string, scope: ScriptScope, source: string): Step[] {
  return expandText(line, { scope, source, depth: 0, budget: { steps: MAX_STEPS } });
}

type NamedCall = Extract<ScriptCall, { script: string }>;

function expandNamed({ script, args, hooks }: NamedCall, at: Position): Step[] {
  const { scope } = at;
  const names = hooks && scope.runsHooks ? [`pre${script}`, script, `post${script}`] : [script];
  return names.flatMap((name) => {
    const text = Object.hasOwn(scope.scripts, name) ? scope.scripts[name] : undefined;
    if (text === undefined) return [];
    const line = name === script ? withArguments(text, args) : text;
    return expandText(line, { ...at, source: `package.json#scripts.${name}` });
  });
}

interface Position {
  readonly scope: ScriptScope;
  readonly source: string;
  readonly depth: number;
  /** Commands that may still be expanded; shared by the whole expansion. */
  readonly budget: { steps: number };
}

function expandText(line: string, at: Position): Step[] {
  const steps: Step[] = [];
  let dir = at.scope.dir;
  let exported: Record<string, string> = {};
  const commands = parseCommandLine(line, (pattern, text) => expandGlob(pattern, text, dir));
  for (const [index, command] of commands.entries()) {
    const [program, first] = command.words;
    const behind = command.joinedBy === '|' || command.joinedBy === '||';
    if (isConditional(command, behind, steps.at(-1))) return [wholeLine(line, commands, at)];
    if (behind && index > 0) continue;
    if (program === 'cd' && first !== undefined && !command.opaque) dir = join(dir, first);
    else if (program === 'export' || program === undefined)
      exported = { ...exported, ...exportedBy(command) };
    else steps.push(...expandCommand({ ...command, env: { ...exported, ...command.env } }, dir, at));
  }
  return steps;
}

/**
 * Whether only a shell can decide which commands run. Not so for `jest | tap-spec` and `eslint . || true`: the second
 * command shows or handles the result of a program that a check runs itself.
 */
function isConditional(command: ShellCommand, behind: boolean, last: Step | undefined): boolean {
  if (command.joinedBy === '&' || SHELL_WORDS.has(command.words[0] ?? '')) return true;
  if (command.opaque && command.words.length === 0 && Object.keys(command.env).length === 0) return true;
  return behind && (last === undefined || last.kind === 'other');
}

function wholeLine(line: string, commands: readonly ShellCommand[], at: Position): Step {
  const { dir } = at.scope;
  const kinds = commands.flatMap((command) => expandCommand(command, dir, at)).map((step) => step.kind);
  const tests = kinds.includes('runner') || kinds.includes('test-program') || commands[0]!.words.length === 0;
  return {
    kind: tests ? 'test-program' : 'other',
    program: 'sh',
    args: [],
    env: {},
    watches: false,
    text: line.trim(),
    dir,
    source: at.source,
  };
}

function exportedBy(command: ShellCommand): Record<string, string> {
  const pairs = command.words.slice(1).map((word) => /^(\w+)=(.*)$/s.exec(word));
  const named = pairs.flatMap((pair) => (pair === null ? [] : [[pair[1]!, pair[2]!] as const]));
  return { ...command.env, ...Object.fromEntries(named) };
}

function expandCommand(command: ShellCommand, dir: string, at: Position): Step[] {
  const steps = expandUnwrapped(command, dir, at).map((step) => withRedirections(step, command));
  const words = coverageWrapper(command);
  if (words === undefined) return steps;
  const isShared = steps.filter(({ kind }) => kind !== 'nothing').length > 1;
  return steps.map((step) => ({
    ...step,
    wrapper: { words, isShared: isShared || step.wrapper !== undefined },
  }));
}

/** A build may consist of what it writes: `node make.js > out.js`. A check reads what its command prints. */
function withRedirections(step: Step, { text, redirected }: ShellCommand): Step {
  return step.kind === 'other' && step.text === text ? { ...step, text: redirected } : step;
}

function expandUnwrapped(command: ShellCommand, dir: string, at: Position): Step[] {
  const unwrapped = unwrapCommand(command);
  const here = { text: command.text, dir, source: at.source };
  const calls =
    at.depth < MAX_DEPTH && at.budget.steps-- > 0
      ? scriptCallsOf(unwrapped.words, at.scope.scripts)
      : undefined;
  const classified = calls === undefined ? classifyAny(unwrapped, dir) : classifyCommand(unwrapped, dir);
  if (command.opaque) return [{ ...opaque(classified), ...here }];
  const inPackages = calls === undefined ? expandPackages(unwrapped, at) : [];
  if (inPackages.length > 0) return inPackages;
  const observed = at.scope.observed?.get(stepKey(classified));
  if (observed !== undefined && observed.commands.length > 0)
    return observed.commands.map((it) => observedStep(it, unwrapped, here));
  if (calls === undefined) return [{ ...classified, ...here }];
  const inner = calls
    .flatMap((call) => expandCall(call, at))
    .map((step) => ({ ...step, env: { ...unwrapped.env, ...step.env } }));
  const builds = inner.every((step) => step.kind === 'other' || step.kind === 'nothing');
  return builds && inner.some((step) => step.kind === 'other') ? [{ ...classified, ...here }] : inner;
}

/** More checks than these are slower than the command that runs them all. */
const MAX_PACKAGES = 12;

/** The steps of a script in the packages of the workspace; none where the command runs no such script. */
function expandPackages(command: Unwrapped, at: Position): Step[] {
  const { packages = [], runsHooks, observed } = at.scope;
  if (packages.length === 0 || at.depth >= MAX_DEPTH) return [];
  const calls = packageCallsOf(command.words) ?? [];
  const [program = ''] = command.words;
  return calls.flatMap(({ script, args, only }) => {
    const selected = packages.filter(
      (it) => Object.hasOwn(it.scripts, script) && (only?.some((name) => isSelected(it, name)) ?? true),
    );
    const isAlone = calls.length === 1;
    if (selected.length > MAX_PACKAGES) return isAlone ? [] : taskSteps(program, script, at);
    const steps = selected.flatMap((it) => {
      const scope: ScriptScope = { scripts: it.scripts, dir: it.dir, runsHooks, observed };
      const found = expandNamed({ script, args, hooks: true }, { ...at, scope, depth: at.depth + 1 });
      return found.map((step) => ({
        ...step,
        env: { ...command.env, ...step.env },
        source: `${it.path}/${step.source}`,
      }));
    });
    const inRoot = only === undefined && runsInRoot(program, script, at.scope.dir);
    const own = inRoot ? expandNamed({ script, args, hooks: true }, { ...at, depth: at.depth + 1 }) : [];
    const build = steps.length === 0 ? undefined : buildBefore(program, script, at.scope.dir);
    return [...(build === undefined ? [] : [buildStep(program, build, at)]), ...steps, ...own];
  });
}

/** One task of several, in more packages than can be checked one by one: it runs beside the checks, and builds nothing for them. */
function taskSteps(program: string, script: string, at: Position): Step[] {
  const text = program === 'nx' ? `nx run-many -t ${script}` : `${program} run ${script}`;
  return [{ ...buildStep(program, text, at), kind: 'quality' }];
}

function buildStep(program: string, text: string, { scope, source }: Position): Step {
  const args = text.split(' ').slice(1);
  return { kind: 'other', program, args, env: {}, watches: false, text, dir: scope.dir, source };
}

/** `name`: a package's name, its path, or a path pattern such as `./packages/*`. */
function isSelected({ name, path }: WorkspacePackage, pattern: string): boolean {
  const plain = pattern.replace(/^\.\//, '').replace(/\/$/, '');
  const escaped = plain.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  const matcher = new RegExp(`^${escaped.replaceAll(/\*+/g, (stars) => (stars === '*' ? '[^/]*' : '.*'))}$`);
  return matcher.test(path) || (name !== undefined && matcher.test(name));
}

function observedStep(
  { words, env, dir, installedIn }: ObservedCommand,
  wrapper: Unwrapped,
  here: Pick<Step, 'text' | 'source'>,
): Step {
  const classified = classifyCommand({ words, env: { ...wrapper.env, ...env } }, dir);
  const text = words.map(shellWord).join(' ');
  return { ...classified, text, source: here.source, dir, ...(installedIn !== undefined && { installedIn }) };
}

/** `yarn vitest` and `yarn run vitest` run the program where there is no script of that name. */
function classifyAny(command: Unwrapped, dir: string): Classified {
  const classified = classifyCommand(command, dir);
  if (classified.kind !== 'other' || !/^(yarn|pnpm|bun)$/.test(classified.program)) return classified;
  const own = command.words[1] === 'run' ? 2 : 1;
  const inner = classifyCommand(unwrapCommand({ ...command, words: command.words.slice(own) }), dir);
  return inner.kind === 'other' ? classified : inner;
}

function expandCall(call: ScriptCall, at: Position): Step[] {
  const deeper = { ...at, depth: at.depth + 1 };
  return 'line' in call ? expandText(call.line, deeper) : expandNamed(call, deeper);
}

/** A runner whose arguments only a shell can evaluate is still a test program. */
function opaque(classified: Classified): Classified {
  return classified.kind === 'runner' ? { ...classified, kind: 'test-program' } : classified;
}

/**
 * Expands an unquoted pattern as `sh` does: `**` means `*`, and a pattern without a match stays as it is. Tools that
 * read patterns themselves get the pattern, so that files added later are included. Braces are none of `sh`.
 */
function expandGlob(pattern: string, commandText: string, dir: string): readonly string[] {
  if (pattern.includes('{')) return [pattern];
  const flat = pattern.replaceAll(/\*+/g, '*');
  const files = globSync(flat, { cwd: dir }).sort();
  if (files.length === 0) return [pattern];
  if (NEEDS_TESTS.test(commandText)) return files;
  // Folders are projects of a build, which make no check.
  return NEEDS_SOURCES.test(commandText) && files.every((file) => SOURCE.test(file)) ? files : [flat];
}
