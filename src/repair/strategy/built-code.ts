import { basename, join, posix } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import { git, runGit } from '../../platform/git/git.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { Candidate, TextEdit } from '../syntax/edit.ts';
import { runningCode, type SpacelessCode } from '../syntax/code-without-types.ts';
import { isBuiltCode, isEditableSource } from '../syntax/source-files.ts';
import { tryCold } from '../trial/cold-trial.ts';
import type { Found } from './search-failures.ts';

/** Time limit of a build and all tests. */
const CONFIRM_MS = 120_000;

/**
 * The same attempt with checks that do not build before each run. Tests of built code then run edits of that code, and
 * `foundInSource` moves the edit that is found to its source.
 */
export function withoutBuilds(context: AttemptContext): AttemptContext {
  const { bench } = context;
  return {
    ...context,
    bench: { ...bench, run: (name, narrowing) => bench.run(name, { ...narrowing, skipSetup: true }) },
  };
}

/**
 * The edit itself where git does not ignore its file and no build writes it. Otherwise the same edit of the source that the file is built from,
 * if a build of it fixes tests and breaks none; else undefined.
 */
export async function foundInSource(context: AttemptContext, found: Found): Promise<Found | undefined> {
  const { root, project, evaluation } = context;
  const { candidate } = found;
  const { file } = candidate.edits[0]!;
  const isIgnored = (await runGit(['check-ignore', '--quiet', '--', file], { cwd: root })).exitCode === 0;
  if (!isIgnored && !isBuiltCode(file)) return found;
  context.onProgress(`looking for the source of ${file}`);
  const moved = await moveToSource(root, candidate);
  const check = project.checks.find(({ kind, setup }) => kind === 'tests' && setup.length > 0);
  if (moved === undefined || check === undefined) return undefined;
  const verdict = await tryCold(context, moved, {
    check: check.name,
    before: evaluation.tests,
    timeoutMs: CONFIRM_MS,
    otherChecks: true,
  });
  const holds = verdict.fixed.length > 0 && verdict.broken.length === 0;
  return holds ? { ...verdict, testFile: found.testFile } : undefined;
}

/**
 * The edit in the only source of the same name that has the text around it; without one, as behind a bundle, in the only
 * source of any name. Undefined if there is none.
 */
async function moveToSource(root: string, candidate: Candidate): Promise<Candidate | undefined> {
  const { file } = candidate.edits[0]!;
  const built = runningCode(file, await readTreeText(join(root, file)));
  const listed = await git(['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const sources = listed
    .toString('utf8')
    .split('\0')
    .filter((path) => isEditableSource(path));
  const namesakes = sources.filter((path) => stemOf(path) === stemOf(file));
  const others = sources.filter((path) => !namesakes.includes(path));
  const placeIn = (paths: readonly string[]): Promise<Candidate[]> =>
    moveTo(paths, { root, candidate, built });
  const named = await placeIn(namesakes);
  const moved = named.length > 0 ? named : await placeIn(others);
  return moved.length === 1 ? moved[0] : undefined;
}

async function moveTo(
  sources: readonly string[],
  { root, candidate, built }: { root: string; candidate: Candidate; built: SpacelessCode },
): Promise<Candidate[]> {
  const { file } = candidate.edits[0]!;
  const moved: Candidate[] = [];
  for (const source of sources) {
    const text = await readTreeText(join(root, source));
    const code = runningCode(source, text);
    const edits = candidate.edits.map((edit) => moveEdit(edit, built, code));
    if (edits.some((edit) => edit === undefined)) continue;
    const placed = edits.map((edit) => ({ ...edit!, file: source }));
    const line = text.slice(0, placed[0]!.start).split('\n').length;
    const signature = candidate.signature.replace(file, () => source);
    moved.push({ ...candidate, edits: placed, line, signature });
  }
  return moved;
}

function stemOf(path: string): string {
  return basename(path, posix.extname(path));
}

/** Characters on either side of an edit by which its place is recognised, most first: types may be near it in the source. */
const CONTEXTS = [60, 40, 25, 15, 10];

function moveEdit(edit: TextEdit, built: SpacelessCode, source: SpacelessCode): TextEdit | undefined {
  const from = built.offsets.findIndex((offset) => offset >= edit.start);
  const to = built.offsets.findIndex((offset) => offset >= edit.end);
  if (from === -1 || to === -1) return undefined;
  for (const width of CONTEXTS) {
    const left = Math.max(0, from - width);
    const around = built.text.slice(left, to + width);
    const at = source.text.indexOf(around);
    if (at === -1) continue;
    if (source.text.includes(around, at + 1)) return undefined;
    const start = source.offsets[at + from - left]!;
    const end = to > from ? source.offsets[at + to - left - 1]! + 1 : start;
    return { start, end, replacement: edit.replacement };
  }
  return undefined;
}
