import { relative, sep } from 'node:path';
import { isEditableSource } from '../syntax/source-files.ts';
import type { FixAction } from './fix-result.ts';
import { proposeTypeEdits } from './type-edits.ts';
import { countErrors, type FixedTexts, type TypeProject } from './type-project.ts';

/** What is to be mended, and until when. */
export interface RepairRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  /** Files with type errors that may be changed, relative to the root. */
  readonly files: readonly string[];
  /** `performance.now()` at which nothing further is tried. */
  readonly deadline: number;
}

/** What became of one project; the disk is not touched. */
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
 * Mends the errors of a project: TypeScript's quick fixes first, then small edits near the errors that are left,
 * each kept only where errors fall in all and rise in no file. Rejects when the project cannot be asked.
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
  for (const mend of [mendWithQuickFix, mendWithEdit]) while (await mendAny(repair, mend));
  const changes = [...originals]
    .filter(([path, text]) => project.textOf(path) !== text)
    .map(([path]) => ({ file: nameOf(path), text: project.textOf(path) }));
  return { changes, actions: repair.actions, errorsBefore: total(counts), errorsAfter: total(repair.counts) };
}

type Mend = (repair: Repair, path: string) => Promise<boolean>;

async function mendAny(repair: Repair, mend: Mend): Promise<boolean> {
  for (const path of pathsWithErrors(repair)) {
    if (performance.now() > repair.deadline) return false;
    if (await mend(repair, path)) return true;
  }
  return false;
}

function pathsWithErrors({ project, files, counts, nameOf }: Repair): string[] {
  const allowed = new Set(files);
  return project.files.filter((path) => (counts.get(path) ?? 0) > 0 && allowed.has(nameOf(path)));
}

/** Makes the first quick fix that helps; tells whether one did. */
async function mendWithQuickFix(repair: Repair, path: string): Promise<boolean> {
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

/** Makes the edit that mends most, of equal ones the most natural; tells whether one did. */
async function mendWithEdit(repair: Repair, path: string): Promise<boolean> {
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

/** The errors left in the changed files; the texts are put back. */
async function errorsWith({ project }: Repair, texts: FixedTexts): Promise<number> {
  const originals = exchange(project, texts);
  const left = await errorsIn(project, texts.keys());
  exchange(project, originals);
  return left;
}

/** Keeps the texts where errors fall in all and rise in no file; tells whether it did. */
async function keepIfBetter(repair: Repair, texts: FixedTexts): Promise<boolean> {
  const { project, counts } = repair;
  const originals = exchange(project, texts);
  const before = [...texts.keys()].reduce((sum, path) => sum + (counts.get(path) ?? 0), 0);
  // The whole project is asked only where the changed files are no worse.
  if ((await errorsIn(project, texts.keys())) <= before) {
    const now = await countErrors(project);
    const worse = [...now].some(([path, count]) => count > (counts.get(path) ?? 0));
    if (!worse && total(now) < total(counts)) {
      repair.counts = now;
      return true;
    }
  }
  exchange(project, originals);
  return false;
}

async function errorsIn(project: TypeProject, paths: Iterable<string>): Promise<number> {
  const problems = await Promise.all([...paths].map((path) => project.errorsOf(path)));
  return problems.flat().length;
}

function exchange(project: TypeProject, texts: FixedTexts): FixedTexts {
  const originals = new Map([...texts.keys()].map((path) => [path, project.textOf(path)]));
  for (const [path, text] of texts) project.setText(path, text);
  return originals;
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
