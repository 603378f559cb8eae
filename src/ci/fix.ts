import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExitCode, messageOf, RalphError, usageError } from '../errors.ts';
import { readReflections } from '../memory/episodes/reflection-files.ts';
import { importReflections } from '../memory/exchange/import.ts';
import { candidatesFrom } from '../memory/exchange/sources.ts';
import { writeDurably } from '../platform/files/durable-write.ts';
import { isFolder } from '../platform/files/is-folder.ts';
import { ralphFolder } from '../platform/ralph-folder.ts';
import { readBounded } from '../platform/files/read-bounded.ts';
import { readFolder } from '../platform/files/read-folder.ts';
import { git, runGit, splitNul } from '../platform/git/git.ts';
import { parseBoundedJson } from '../platform/text/bounded-json.ts';
import type { CiPlan, Reflection } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { withRuledOut } from '../loop/ruled-out.ts';
import { restoreDefaultBranch } from './default-branch.ts';
import { PLAN_FILE } from './plan.ts';
import { readRuledOut, ruledOutOnBranch } from './ruled-out-files.ts';

/** A plan that asks for a fix. */
export type FixPlan = CiPlan & Required<Pick<CiPlan, 'try_id' | 'branch' | 'head'>>;

const MAX_PLAN_BYTES = 1024 * 1024;
const SHOWN_FILES = 5;

/** Step 2 of `ralph ci`: reads the plan in a folder. Throws a usage error if it is missing or asks for no fix. */
export async function readPlan(folder: string): Promise<FixPlan> {
  const path = join(folder, PLAN_FILE);
  const plan = await parsePlan(path);
  if (typeof plan === 'string')
    throw usageError(
      `--plan ${folder}: ${PLAN_FILE} ${plan}.`,
      'Create it with: ralph ci plan --output FOLDER',
    );
  if (!plan.run)
    throw usageError(
      `The plan asks for no fix: ${plan.text}`,
      'Call ralph ci fix only if the output run is true.',
    );
  const { try_id: tryId, branch, head } = plan;
  if (tryId === undefined || branch === undefined || head === undefined)
    throw usageError(`--plan ${folder}: ${PLAN_FILE} lacks try_id, branch or head.`);
  return { ...plan, try_id: tryId, branch, head };
}

async function parsePlan(path: string): Promise<CiPlan | string> {
  try {
    const checked = validate(
      'ci-plan',
      parseBoundedJson(await readBounded(path, MAX_PLAN_BYTES), { maxDepth: 10 }),
    );
    return checked.ok ? checked.value : `is not a plan: ${renderProblems(checked.problems)}`;
  } catch (error) {
    return `cannot be read: ${messageOf(error)}`;
  }
}

/**
 * Checks that the work tree at `root` is at the commit of the plan, without changes to tracked files: a fix that was
 * verified together with other changes would not be a fix of that commit. Throws RalphError `repository_unusable`.
 */
export async function requireCheckout(root: string, plan: FixPlan): Promise<void> {
  const found = await runGit(['rev-parse', '--verify', 'HEAD'], { cwd: root });
  const head = found.stdout.toString('latin1').trim();
  if (head !== plan.head)
    throw new RalphError(`${root} is at ${head || 'no commit'}, but the plan is for ${plan.head}.`, {
      code: 'repository_unusable',
      exitCode: ExitCode.workspace,
      hint: `git checkout --detach ${plan.head}`,
    });
  const status = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=no'];
  // Each record is two letters, a space and the path.
  const changed = splitNul(await git(status, { cwd: root })).map((record) => String(record).slice(3));
  const foreign = changed.filter((path) => !path.startsWith('.aiwg/'));
  if (foreign.length === 0) return;
  const shown = foreign.slice(0, SHOWN_FILES).join(', ') + (foreign.length > SHOWN_FILES ? ' and more' : '');
  throw new RalphError(`Files of ${root} differ from the commit to be fixed: ${shown}.`, {
    code: 'repository_unusable',
    exitCode: ExitCode.workspace,
    hint: 'git stash, or remove the step that changes them (npm ci instead of npm install).',
  });
}

/**
 * Replaces the memory and the prompts in the checkout by those of the default branch, and adds the memory of earlier
 * tries: nothing of them is from the branch under repair. Files of the default branch are kept. Returns
 * the reflections of the plan's earlier loops, oldest first.
 */
export async function restoreMemory(root: string, planFolder: string, plan: FixPlan): Promise<Reflection[]> {
  await restoreDefaultBranch(root, planFolder);
  const from = join(planFolder, 'memory');
  const reflections = join(from, 'reflections');
  if (isFolder(reflections))
    await importReflections(candidatesFrom([reflections]), { repositoryRoot: root, dryRun: false });
  const files = join(from, 'memory');
  for (const entry of isFolder(files) ? await readFolder(files) : []) {
    const target = ralphFolder(root).inMemory(entry.name);
    if (!entry.isFile() || existsSync(target)) continue;
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
