import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeInTree } from '../../platform/files/write-in-tree.ts';
import type { SurvivingMutant } from '../../schema/generated.ts';
import { parseText } from './syntax.ts';
import type { VettedFile, Vetting } from './vet-file.ts';
import { FILE_CASE } from '../../schema/file-case.ts';

/** A mutant; `column` (1-based) is where `before` starts, needed if the line holds it more than once. */
type PlacedMutant = SurvivingMutant & { readonly column?: number };

/** Cuts from a file in the root the tests that catch none of the mutants. Restores every mutated file. */
export async function keepCatching(
  file: VettedFile,
  survivors: readonly PlacedMutant[],
  { request, bench, plan, reject }: Pick<Vetting, 'request' | 'bench' | 'plan' | 'reject'>,
): Promise<VettedFile> {
  const caught = new Set<string>();
  for (const mutant of survivors) {
    if (request.signal.aborted) break;
    await withMutant(request.root, mutant, async () => {
      const report = await bench.run(plan.name, { files: [file.path], signal: request.signal });
      if (report.status === 'error' || request.signal.aborted) return;
      // A failure to load or a timeout is no test's verdict on the mutant.
      const failures = report.diagnostics.filter(
        ({ type, rule }) => rule !== FILE_CASE && type !== 'timeout' && type !== 'syntax_error',
      );
      const ids = new Set(failures.map(({ test_id: id }) => id));
      for (const { id, name, status } of report.tests)
        if (status === 'failed' && ids.has(id)) caught.add(name);
    });
  }
  const kept = file.tests.filter(({ names }) => names.some((name) => caught.has(name)));
  for (const test of file.tests)
    if (!kept.includes(test)) reject(`${file.path}: "${test.declared.title}" catches none of the mutants.`);
  await file.keep(kept);
  return { ...file, tests: kept };
}

/** Runs `use` while one line holds the mutant; does nothing if it cannot be placed or does not parse. */
async function withMutant(root: string, mutant: PlacedMutant, use: () => Promise<void>): Promise<void> {
  const path = join(root, mutant.file);
  const bytes = await readFile(path);
  const text = mutate(bytes.toString('utf8'), mutant);
  if (text === undefined || !parses(text, mutant.file)) return;
  try {
    writeInTree(root, mutant.file, text);
    await use();
  } finally {
    writeInTree(root, mutant.file, bytes);
  }
}

function mutate(text: string, { line, column, before, after }: PlacedMutant): string | undefined {
  const lines = text.split('\n');
  const found = lines[line - 1];
  if (found === undefined || before === '') return undefined;
  const at = column === undefined ? found.indexOf(before) : column - 1;
  if (at < 0 || !found.startsWith(before, at)) return undefined;
  if (column === undefined && found.includes(before, at + 1)) return undefined;
  lines[line - 1] = found.slice(0, at) + after + found.slice(at + before.length);
  return lines.join('\n');
}

function parses(text: string, path: string): boolean {
  try {
    parseText(text, path);
    return true;
  } catch {
    return false;
  }
}
