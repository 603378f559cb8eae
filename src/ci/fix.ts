import { cp, lstat, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExitCode, messageOf, RalphError, usageError } from '../errors.ts';
import { importReflections } from '../memory/exchange/import.ts';
import { candidatesFrom } from '../memory/exchange/sources.ts';
import { readReflections } from '../memory/episodes/reflection-files.ts';
import type { CiFix, CiPlan, Reflection, Verdict } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { parseBoundedJson } from '../platform/text/bounded-json.ts';
import { writeDurably } from '../platform/files/durable-write.ts';
import { ensureRalphFolder, RALPH_PATHS, ralphFolder } from '../platform/ralph-folder.ts';
import { readBounded } from '../platform/files/read-bounded.ts';
import { readFolder } from '../platform/files/read-folder.ts';
import { git, splitNul } from '../platform/git/git.ts';
import type { Repository } from '../workspace/repository.ts';
import { withRuledOut } from '../loop/ruled-out.ts';
import { PLAN_FILE } from './plan.ts';
import { readRuledOut, ruledOutOnBranch, STATE_FOLDER } from './ruled-out-files.ts';

/** Names in the output folder of `ralph ci fix`. */
export const FIX_FILE = 'fix.json';
export const PATCH_FILE = 'patch.diff';

/** A plan that asks for a fix: what it needs is there. */
export type FixPlan = CiPlan & Required<Pick<CiPlan, 'try_id' | 'branch' | 'head'>>;

const MAX_PLAN_BYTES = 1024 * 1024;

/** The plan in a folder. Throws a usage error where there is none, or where it asks for nothing. */
export async function readPlan(folder: string): Promise<FixPlan> {
  const path = join(folder, PLAN_FILE);
  const plan = await parsePlan(path);
  if (typeof plan === 'string')
    throw usageError(
      `--plan ${folder}: ${PLAN_FILE} ${plan}.`,
      'Make it with: ralph ci plan --output FOLDER',
    );
  if (!plan.run)
    throw usageError(
      `There is nothing to fix: ${plan.text}`,
      'Call ralph ci fix only where the output run is true.',
    );
  const { try_id: tryId, branch, head } = plan;
  if (tryId === undefined || branch === undefined || head === undefined)
    throw usageError(`--plan ${folder}: ${PLAN_FILE} names no try, branch or head.`);
  return { ...plan, try_id: tryId, branch, head };
}

async function parsePlan(path: string): Promise<CiPlan | string> {
  try {
    const checked = validate(
      'ci-plan',
      parseBoundedJson(await readBounded(path, MAX_PLAN_BYTES), { maxDepth: 10 }),
    );
    return checked.ok ? checked.value : `is no plan: ${renderProblems(checked.problems)}`;
  } catch (error) {
    return `cannot be read: ${messageOf(error)}`;
  }
}

/**
 * Makes sure that what is judged is the commit of the plan: a fix that was verified beside other changes would not be
 * one of that commit. Throws RalphError `repository_unusable`.
 */
export async function requireCheckout({ root, head }: Repository, plan: FixPlan): Promise<void> {
  if (head !== plan.head)
    throw new RalphError(`${root} is at ${head}, and the plan is for ${plan.head}.`, {
      code: 'repository_unusable',
      exitCode: ExitCode.workspace,
      hint: `git checkout --detach ${plan.head}`,
    });
  const changed = splitNul(await git(['diff', '--name-only', '-z', 'HEAD'], { cwd: root })).map(String);
  const foreign = changed.filter((path) => !path.startsWith('.aiwg/'));
  if (foreign.length === 0) return;
  const shown = foreign.slice(0, 5).join(', ') + (foreign.length > 5 ? ' and more' : '');
  throw new RalphError(`Files of ${root} differ from the commit that is to be mended: ${shown}.`, {
    code: 'repository_unusable',
    exitCode: ExitCode.workspace,
    hint: 'git stash, or leave out the step that changes them (npm ci instead of npm install).',
  });
}

/**
 * Puts what earlier tries learned into the checkout: reflections beside those that are there, other files where there
 * is none. Gives the reflections of the plan's earlier loops, oldest first.
 */
export async function restoreMemory(root: string, planFolder: string, plan: FixPlan): Promise<Reflection[]> {
  ensureRalphFolder(root);
  const from = join(planFolder, 'memory');
  const reflections = join(from, 'reflections');
  if (await isFolder(reflections))
    await importReflections(candidatesFrom([reflections]), { repositoryRoot: root, dryRun: false });
  const files = join(from, 'memory');
  for (const entry of (await isFolder(files)) ? await readFolder(files) : []) {
    const target = ralphFolder(root).inMemory(entry.name);
    if (!entry.isFile() || (await exists(target))) continue;
    await writeDurably(target, await readFile(join(files, entry.name)));
  }
  const earlier: Reflection[] = [];
  for (const loopId of plan.earlier_loops ?? []) {
    const { records } = await readReflections(root, loopId);
    const own = records.flatMap((record) => (record.source === 'ralph' ? [record.reflection] : []));
    for (const reflection of own) {
      const ruledOut = await readRuledOut(join(from, ruledOutOnBranch(reflection)), reflection);
      earlier.push(withRuledOut(reflection, ruledOut?.edits));
    }
  }
  return earlier;
}

/** Everything that publishing needs, in one folder: verdict, patch, what the loop left, what it learned. */
export async function saveFix(
  { root, output }: { readonly root: string; readonly output: string },
  plan: FixPlan,
  verdict: Verdict,
): Promise<void> {
  const { try_id, branch, head, task } = plan;
  const fix: CiFix = { version: 1, try_id, branch, head, verdict, ...(task !== undefined && { task }) };
  await mkdir(output, { recursive: true });
  const loopId = verdict.loop_id!;
  const folder = ralphFolder(root);
  await copyIfThere(folder.reflectionsOf(loopId), join(output, 'reflections', loopId));
  await copyIfThere(folder.memory(), join(output, 'memory'));
  const state = join(output, STATE_FOLDER);
  await copyIfThere(folder.loop(loopId), join(state, RALPH_PATHS.loop(loopId)));
  await copyIfThere(folder.reflectionsOf(loopId), join(state, RALPH_PATHS.reflectionsOf(loopId)));
  if (verdict.patch !== null) await copyIfThere(join(root, verdict.patch), join(output, PATCH_FILE));
  // Last: a folder that has it is whole.
  await writeDurably(join(output, FIX_FILE), `${JSON.stringify(fix, null, 2)}\n`);
}

/** Without what models said word by word, and without locks and half-written files. */
async function copyIfThere(from: string, to: string): Promise<void> {
  if (!(await exists(from))) return;
  const isWanted = (path: string): boolean => !/(?:model-calls\.jsonl|\.ralph-tmp|lock\S*)$/.test(path);
  await cp(from, to, { recursive: true, filter: isWanted });
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}
