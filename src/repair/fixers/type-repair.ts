import { relative, sep } from 'node:path';
import { isEditableSource } from '../syntax/source-files.ts';
import type { FixAction } from './fix-result.ts';
import { proposeTypeEdits } from './type-edits.ts';
import { countErrors, type FixedTexts, type TypeProject } from './type-project.ts';

/** The files to fix and the time limit. */
export interface RepairRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  /** Files with type errors that may be changed, relative to the root. */
  readonly files: readonly string[];
  /** `performance.now()` at which nothing further is tried. */
  readonly deadline: number;
}

/** The result for one project; the disk is not changed. */
export interface ProjectRepair {
  readonly changes: readonly { readonly file: string; readonly text: string }[];
  readonly actions: readonly FixAction[];
  readonly errorsBefore: number;
  readonly errorsAfter: number;
}

interface Repair extends RepairRequest {
  readonly project: TypeProject;
  readonly actions: FixAction[];
  readonly mayChange: (path: string) => boolean;
  readonly nameOf: (path: string) => string;
  counts: ReadonlyMap<string, number>;
}

/**
 * Fixes errors of a project: TypeScript's quick fixes first, then small edits near the errors left. A change is kept only
 * if the project's number of errors falls and no file gets more. Rejects if the compiler fails.
 */
export async function repairProject(project: TypeProject, request: RepairRequest): Promise<ProjectRepair> {
  const originals = new Map(project.files.map((path) => [path, project.textOf(path)]));
  const nameOf = (path: string): string => relative(request.root, path).split(sep).join('/');
  const counts = await countErrors(project);
  const repair: Repair = {
    ...request,
    project,
    actions: [],
    mayChange: (path) => isEditableSource(nameOf(path)) && originals.has(path),
    nameOf,
    counts,
  };
  for (const fix of [applyQuickFix, applyBestEdit]) while (await fixAny(repair, fix));
  const changes = [...originals]
    .filter(([path, text]) => project.textOf(path) !== text)
    .map(([path]) => ({ file: nameOf(path), text: project.textOf(path) }));
  return { changes, actions: repair.actions, errorsBefore: total(counts), errorsAfter: total(repair.counts) };
}

/** Fixes one error of a file; returns whether it did. */
type Fix = (repair: Repair, path: string) => Promise<boolean>;

async function fixAny(repair: Repair, fix: Fix): Promise<boolean> {
  for (const path of pathsWithErrors(repair)) {
    if (performance.now() > repair.deadline) return false;
    if (await fix(repair, path)) return true;
  }
  return false;
}

function pathsWithErrors({ project, files, counts, nameOf }: Repair): string[] {
  const allowed = new Set(files);
  return project.files.filter((path) => (counts.get(path) ?? 0) > 0 && allowed.has(nameOf(path)));
}

/** Applies the first quick fix that lowers the number of errors; returns whether there was one. */
async function applyQuickFix(repair: Repair, path: string): Promise<boolean> {
  const { project, deadline, mayChange } = repair;
  for (const problem of await project.errorsOf(path)) {
    for (const { description, texts } of await project.quickFixesFor(problem, mayChange)) {
      if (performance.now() > deadline) return false;
      if (!(await keepIfBetter(repair, texts))) continue;
      const file = repair.nameOf(path);
      repair.actions.push({
        description: `TypeScript's fix for TS${problem.code} in ${file}: ${description}`,
        file,
      });
      return true;
    }
  }
  return false;
}

/** Applies the edit that removes most errors, of equal ones the most natural; returns whether there was one. */
async function applyBestEdit(repair: Repair, path: string): Promise<boolean> {
  const { project, deadline } = repair;
  const file = repair.nameOf(path);
  for (const problem of await project.errorsOf(path)) {
    let best: { texts: FixedTexts; left: number; signature: string } | undefined;
    for (const { candidate, text } of proposeTypeEdits(project.textOf(path), problem, file)) {
      if (performance.now() > deadline) break;
      const texts = new Map([[path, text]]);
      const left = await errorsWith(repair, texts);
      if (left < (best?.left ?? repair.counts.get(path)!)) {
        best = { texts, left, signature: candidate.signature };
      }
      if (left === 0) break;
    }
    if (best !== undefined && (await keepIfBetter(repair, best.texts))) {
      repair.actions.push({ description: `Edit for TS${problem.code}: ${best.signature}`, file });
      return true;
    }
  }
  return false;
}

/** Number of errors in the changed files with these texts, which are then restored. */
async function errorsWith({ project }: Repair, texts: FixedTexts): Promise<number> {
  const originals = setTexts(project, texts);
  const left = await errorsIn(project, texts.keys());
  setTexts(project, originals);
  return left;
}

/** Keeps the texts if the project's number of errors falls and no file gets more; returns whether it did. */
async function keepIfBetter(repair: Repair, texts: FixedTexts): Promise<boolean> {
  const { project, counts } = repair;
  const originals = setTexts(project, texts);
  const before = [...texts.keys()].reduce((sum, path) => sum + (counts.get(path) ?? 0), 0);
  // The whole project is checked only if the changed files have no more errors.
  if ((await errorsIn(project, texts.keys())) <= before) {
    const now = await countErrors(project);
    const worse = [...now].some(([path, count]) => count > (counts.get(path) ?? 0));
    if (!worse && total(now) < total(counts)) {
      repair.counts = now;
      return true;
    }
  }
  setTexts(project, originals);
  return false;
}

async function errorsIn(project: TypeProject, paths: Iterable<string>): Promise<number> {
  const problems = await Promise.all([...paths].map((path) => project.errorsOf(path)));
  return problems.flat().length;
}

/** Sets texts and returns the previous ones. */
function setTexts(project: TypeProject, texts: FixedTexts): FixedTexts {
  const originals = new Map([...texts.keys()].map((path) => [path, project.textOf(path)]));
  for (const [path, text] of texts) project.setText(path, text);
  return originals;
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
