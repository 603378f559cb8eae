import { shownEdit } from '../../schema/shown-edit.ts';
import { relative, sep } from 'node:path';
import { isEditableSource } from '../syntax/source-files.ts';
import type { FixAction } from './fix-result.ts';
import { annotationsNear, type OpenProject, type PlacedEdit } from './annotations-near.ts';
import { addsSuppression } from './suppressions.ts';
import { proposeTypeEdits } from './type-edits.ts';
import { countErrors, type FixedTexts, type TypeProject } from './type-project.ts';

/** The files to fix and the time limit. */
export interface RepairRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  /** Files with type errors that may be changed, relative to the root. */
  readonly files: readonly string[];
  /** Tests run the code and all of them pass, so that the annotations are likelier to be wrong than the code. */
  readonly isCodeTested: boolean;
  /** Only names that TypeScript itself says are misspelt are corrected. */
  readonly isSpellingOnly: boolean;
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

interface Repair extends RepairRequest, OpenProject {
  readonly actions: FixAction[];
  counts: ReadonlyMap<string, number>;
}

/**
 * Fixes errors of a project: TypeScript's quick fixes first, then small edits near the errors left, of annotations before
 * code where the code is tested. A change is kept only
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
  for (const fix of orderOf(request)) while (await fixAny(repair, fix));
  const changes = [...originals]
    .filter(([path, text]) => project.textOf(path) !== text)
    .map(([path]) => ({ file: nameOf(path), text: project.textOf(path) }));
  return { changes, actions: repair.actions, errorsBefore: total(counts), errorsAfter: total(repair.counts) };
}

/** Fixes one error of a file; returns whether it did. */
type Fix = (repair: Repair, path: string) => Promise<boolean>;

function orderOf({ isCodeTested, isSpellingOnly }: RepairRequest): readonly Fix[] {
  if (isSpellingOnly) return [applyQuickFix];
  return isCodeTested
    ? [applyQuickFix, applyAnnotation, applyBestEdit]
    : [applyQuickFix, applyBestEdit, applyAnnotation];
}

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

/** How TypeScript describes its correction of a misspelt name. */
const SPELLING = /^Change spelling to /;

/** Applies the first quick fix that lowers the number of errors; returns whether there was one. */
async function applyQuickFix(repair: Repair, path: string): Promise<boolean> {
  const { project, deadline, mayChange, isSpellingOnly } = repair;
  for (const problem of await project.errorsOf(path)) {
    for (const { description, texts } of await project.quickFixesFor(problem, mayChange)) {
      if (performance.now() > deadline) return false;
      if (isSpellingOnly && !SPELLING.test(description)) continue;
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
      repair.actions.push({ description: `Edit for TS${problem.code}: ${shownEdit(best.signature)}`, file });
      return true;
    }
  }
  return false;
}

/** Annotations tried for one error. */
const MAX_ANNOTATIONS = 150;

/** Applies the annotation that removes most errors, of equal ones the most natural; returns whether there was one. */
async function applyAnnotation(repair: Repair, path: string): Promise<boolean> {
  const { project, deadline, mayChange } = repair;
  for (const problem of await project.errorsOf(path)) {
    const edits = await annotationsNear(problem, repair);
    let best: { readonly edit: PlacedEdit; readonly left: number } | undefined;
    for (const edit of edits.filter((each) => mayChange(each.path)).slice(0, MAX_ANNOTATIONS)) {
      if (performance.now() > deadline) break;
      const paths = new Set([edit.path, path]);
      const before = [...paths].reduce((sum, each) => sum + (repair.counts.get(each) ?? 0), 0);
      const left = await errorsWith(repair, new Map([[edit.path, edit.text]]), paths);
      if (left < Math.min(before, best?.left ?? Infinity)) best = { edit, left };
      if (left === 0) break;
    }
    if (best === undefined) continue;
    const { edit } = best;
    const before = project.textOf(edit.path);
    if (addsSuppression(before, edit.text)) continue;
    if (!(await keepIfBetter(repair, new Map([[edit.path, edit.text]])))) continue;
    const file = repair.nameOf(edit.path);
    repair.actions.push({
      description: `Annotation for TS${problem.code} in ${file}: ${edit.description}`,
      file,
    });
    return true;
  }
  return false;
}

/** Number of errors in some files, the changed ones by default, with these texts, which are then restored. */
async function errorsWith(
  { project }: Repair,
  texts: FixedTexts,
  paths: Iterable<string> = texts.keys(),
): Promise<number> {
  const originals = setTexts(project, texts);
  const left = await errorsIn(project, paths);
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
