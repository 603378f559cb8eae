import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import type ts from 'typescript';
import { isEditableSource } from '../source-files.ts';
import type { FixAction } from './fix-result.ts';
import { type FixedTexts, quickFixesFor } from './quick-fixes.ts';
import { proposeTypeEdits } from './type-edits.ts';
import { openProject, projectsOf, type TypeService } from './type-service.ts';

/** What the process gets on stdin as JSON. */
export interface TypeFixRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  /** Absolute path of the tsconfig. */
  readonly config: string;
  /** Files with type errors that may be changed, relative to the root. */
  readonly files: readonly string[];
  /** Where the result is written. */
  readonly output: string;
  readonly timeoutMs: number;
}

/** What the process writes as JSON; the tree is not touched. */
export interface TypeFixes {
  readonly changes: readonly { readonly file: string; readonly text: string }[];
  readonly actions: readonly FixAction[];
  readonly errorsBefore: number;
  readonly errorsAfter: number;
  readonly reason?: string;
}

/** Mends what it can within the time. Throws when the project cannot be opened. */
export function fixTypes(request: TypeFixRequest): TypeFixes {
  const loaded = loadTypeScript(request.config);
  if ('reason' in loaded) return { ...NOTHING, reason: loaded.reason };
  const deadline = performance.now() + request.timeoutMs;
  const results = projectsOf(loaded.api, request.config).map((config) =>
    fixProject(openProject(loaded.api, config), request, deadline),
  );
  return {
    changes: results.flatMap(({ changes }) => changes),
    actions: results.flatMap(({ actions }) => actions),
    errorsBefore: results.reduce((sum, { errorsBefore }) => sum + errorsBefore, 0),
    errorsAfter: results.reduce((sum, { errorsAfter }) => sum + errorsAfter, 0),
  };
}

const NOTHING = { changes: [], actions: [], errorsBefore: 0, errorsAfter: 0 };

/** The TypeScript that the repository has installed, where it has a JavaScript interface. */
function loadTypeScript(config: string): { api: typeof ts } | { reason: string } {
  try {
    const api = createRequire(config)('typescript') as Partial<typeof ts>;
    if (typeof api.createLanguageService === 'function') return { api: api as typeof ts };
    return { reason: `TypeScript ${api.version ?? ''} here has no language service for JavaScript.` };
  } catch {
    return { reason: 'TypeScript is not installed here.' };
  }
}

interface Repair {
  readonly project: TypeService;
  readonly request: TypeFixRequest;
  readonly deadline: number;
  readonly actions: FixAction[];
  readonly mayChange: (path: string) => boolean;
  counts: Map<string, number>;
}

function fixProject(project: TypeService, request: TypeFixRequest, deadline: number): TypeFixes {
  const originals = new Map(project.files.map((path) => [path, project.textOf(path)]));
  const counts = project.countErrors();
  const repair: Repair = {
    project,
    request,
    deadline,
    actions: [],
    mayChange: (path) => isEditableSource(project.relativeTo(request.root, path)) && originals.has(path),
    counts,
  };
  const errorsBefore = total(counts);
  for (const mend of [mendWithQuickFix, mendWithEdit]) {
    while (performance.now() < deadline && pathsWithErrors(repair).some((path) => mend(repair, path)));
  }
  const changes = [...originals]
    .filter(([path, text]) => project.textOf(path) !== text)
    .map(([path]) => ({ file: project.relativeTo(request.root, path), text: project.textOf(path) }));
  return { changes, actions: repair.actions, errorsBefore, errorsAfter: total(repair.counts) };
}

function pathsWithErrors({ project, request, counts }: Repair): string[] {
  const allowed = new Set(request.files);
  return project.files.filter(
    (path) => (counts.get(path) ?? 0) > 0 && allowed.has(project.relativeTo(request.root, path)),
  );
}

/** Makes the first quick fix that helps; tells whether one did. */
function mendWithQuickFix(repair: Repair, path: string): boolean {
  const { project, request, deadline, mayChange } = repair;
  for (const error of project.errorsOf(path)) {
    for (const { description, texts } of quickFixesFor(project, error, mayChange)) {
      if (performance.now() > deadline) return false;
      if (keepIfBetter(repair, texts) === undefined) continue;
      const file = project.relativeTo(request.root, path);
      repair.actions.push({
        description: `TypeScript's fix for TS${error.code} in ${file}: ${description}`,
        file,
      });
      return true;
    }
  }
  return false;
}

/** Makes the edit that mends most, of equal ones the most natural; tells whether one did. */
function mendWithEdit(repair: Repair, path: string): boolean {
  const { project, request, deadline } = repair;
  const file = project.relativeTo(request.root, path);
  for (const error of project.errorsOf(path)) {
    let best: { texts: FixedTexts; left: number; signature: string } | undefined;
    for (const { candidate, text } of proposeTypeEdits(project, error, file)) {
      if (performance.now() > deadline) break;
      const texts = new Map([[path, text]]);
      const left = errorsWith(repair, texts, best?.left ?? repair.counts.get(path)!);
      if (left !== undefined) best = { texts, left, signature: candidate.signature };
      if (left === 0) break;
    }
    if (best !== undefined && keepIfBetter(repair, best.texts) !== undefined) {
      repair.actions.push({ description: `Edit for TS${error.code}: ${best.signature}`, file });
      return true;
    }
  }
  return false;
}

/** The errors left in the changed file where they are fewer than `least`; the texts are put back. */
function errorsWith({ project }: Repair, texts: FixedTexts, least: number): number | undefined {
  const originals = exchange(project, texts);
  const left = [...texts.keys()].reduce((sum, path) => sum + project.errorsOf(path).length, 0);
  exchange(project, originals);
  return left < least ? left : undefined;
}

/** Keeps the texts where errors fall in all and rise in no file; the new total, else undefined. */
function keepIfBetter(repair: Repair, texts: FixedTexts): number | undefined {
  const { project, counts } = repair;
  const originals = exchange(project, texts);
  const now = project.countErrors();
  const worse = [...now].some(([path, count]) => count > (counts.get(path) ?? 0));
  if (!worse && total(now) < total(counts)) {
    repair.counts = now;
    return total(now);
  }
  exchange(project, originals);
  return undefined;
}

function exchange(project: TypeService, texts: FixedTexts): FixedTexts {
  const originals = new Map([...texts.keys()].map((path) => [path, project.textOf(path)]));
  for (const [path, text] of texts) project.setText(path, text);
  return originals;
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Run as a program: a request on stdin, the fixes into its `output`. */
if (process.argv[1] === import.meta.filename) {
  const request = JSON.parse(await readText(process.stdin)) as TypeFixRequest;
  const output = isAbsolute(request.output) ? request.output : join(request.root, request.output);
  writeFileSync(output, JSON.stringify(fixTypes(request)));
}
