import { existsSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, resolve } from 'node:path';
import { RalphError, usageError } from '../../errors.ts';
import { applyOrder, HOOK_FILES, type HookTarget } from '../../gate/settings/index.ts';
import { removeHooks, writeHooks } from '../../gate/settings/apply.ts';
import { filesWithHooksOff } from '../../gate/settings/hook-state.ts';
import type { HookCommands, HookFile } from '../../gate/settings/hook-file.ts';
import { gitFailed } from '../../platform/git/git.ts';
import { userGit } from '../../platform/git/user-git.ts';
import { PACKAGE_ROOT } from '../../platform/package-files.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';

interface InitHooksOptions {
  readonly hooks: readonly HookTarget[];
  readonly allGreen?: boolean;
  readonly remove?: boolean;
}

/** `ralph init --hooks NAME…`: writes or removes the hooks of the gate; everything else in the files stays. */
export async function initHooksCommand(options: InitHooksOptions): Promise<void> {
  const { hooks, allGreen = false, remove = false } = options;
  if (remove && allGreen)
    throw usageError('--all-green has no effect with --remove.', 'Leave one of them out.');
  const root = findRepositoryRoot(process.cwd());
  const program = ralphProgram();
  const refusals: RalphError[] = [];
  for (const target of applyOrder(hooks)) {
    const commands = commandsFor(target, program, allGreen);
    const files = HOOK_FILES[target](commands, await gitHooksFolder(root, target));
    for (const file of files) {
      const outcome = await (remove ? removeHooks : writeHooks)(root, file).catch((error: unknown) => {
        // Each file is written or named: the next one may be free.
        if (!(error instanceof RalphError)) throw error;
        refusals.push(error);
        return 'not changed';
      });
      print(`${shownPath(root, file)}  ${outcome}${linkOf(root, file)}`);
    }
    if (!remove) for (const note of notesOn(target, root)) print(`  ${note}`);
  }
  if (!remove && program.length > 1)
    print('ralph is not on PATH: the hooks name this copy of it, so the files suit this machine only.');
  refuse(refusals);
}

function refuse([first, ...others]: readonly RalphError[]): void {
  if (first === undefined) return;
  if (others.length === 0) throw first;
  const all = [first, ...others];
  const hints = all.flatMap(({ hint }) => hint ?? []);
  const message = all.map((one) => one.message).join('\n');
  throw new RalphError(message, { code: first.code, exitCode: first.exitCode, hint: hints.join('\n') });
}

/** Sentences on steps of the user without which an agent does not run the hooks. */
function notesOn(target: HookTarget, root: string): string[] {
  if (target === 'codex')
    return ['Codex runs new hooks only after you have trusted them: start it and enter /hooks.'];
  if (target !== 'claude') return [];
  return filesWithHooksOff(root).map(
    (file) => `${file} has "disableAllHooks": true. Claude Code runs no hook until that is taken out.`,
  );
}

/** Where a link leads in whose place the settings are written; empty for a file of its own. */
function linkOf(root: string, { path }: HookFile): string {
  const target = resolve(root, path);
  if (isAbsolute(path) || !existsSync(target)) return '';
  const real = realpathSync(target);
  return real === join(realpathSync(root), path) ? '' : ` (a link: the file is ${real})`;
}

function commandsFor(target: HookTarget, program: readonly string[], allGreen: boolean): HookCommands {
  const options = allGreen ? ['--all-green'] : [];
  const line = (command: string, more: readonly string[] = options): string =>
    [...program.map(quoted), 'gate', command, '--hook', target, ...more].join(' ');
  return { start: line('start'), ahead: line('ahead', []), check: line('check'), program, options };
}

/** `ralph` if it is on PATH, else Node with the program of this package. */
function ralphProgram(): readonly string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  if (folders.some((folder) => existsSync(join(folder, 'ralph')))) return ['ralph'];
  return [process.execPath, join(PACKAGE_ROOT, 'bin', 'ralph.js')];
}

/** A word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Absolute path of the folder in which git looks for hooks; empty where it is not needed. */
async function gitHooksFolder(root: string, target: HookTarget): Promise<string> {
  if (target !== 'git') return '';
  const args = ['rev-parse', '--git-path', 'hooks'];
  const answer = await userGit({ cwd: root, hooks: true }, (git) => git.raw(args));
  if (!answer.ok) throw gitFailed(args, answer.outcome);
  return resolve(root, answer.value.trim());
}

function shownPath(root: string, { path }: HookFile): string {
  return isAbsolute(path) ? relative(root, path) : path;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
