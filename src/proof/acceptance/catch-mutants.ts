import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SurvivingMutant } from '../../schema/generated.ts';
import { cutTests, type VettedFile, type Vetting } from './vet-file.ts';

/** Cuts from a file in the root the tests that catch none of the mutants. Restores every mutated file. */
export async function keepCatching(
  file: VettedFile,
  survivors: readonly SurvivingMutant[],
  { request, bench, plan, reject }: Pick<Vetting, 'request' | 'bench' | 'plan' | 'reject'>,
): Promise<VettedFile> {
  const caught = new Set<string>();
  for (const mutant of survivors) {
    if (request.signal.aborted) break;
    await withMutant(request.root, mutant, async () => {
      const report = await bench.run(plan.name, { files: [file.path], signal: request.signal });
      for (const { name, status } of report.tests) if (status === 'failed') caught.add(name);
    });
  }
  const kept = file.tests.filter(({ name }) => caught.has(name));
  for (const test of file.tests)
    if (!kept.includes(test)) reject(`${file.path}: "${test.title}" catches none of the mutants.`);
  const path = join(request.root, file.path);
  // Positions refer to the file as it was written; cut tests were removed from its text, so they are searched again.
  const { scanTests } = await import('./scan-tests.ts');
  const text = await readFile(path, 'utf8');
  const { tests } = scanTests(text, file.path);
  await writeFile(
    path,
    cutTests(
      text,
      tests,
      tests.filter(({ name }) => caught.has(name)),
    ),
  );
  return { path: file.path, tests: kept };
}

/** Runs `use` while one line holds the mutant; does nothing if the line is not as the mutant says. */
async function withMutant(
  root: string,
  { file, line, before, after }: SurvivingMutant,
  use: () => Promise<void>,
): Promise<void> {
  const path = join(root, file);
  const bytes = await readFile(path);
  const lines = bytes.toString('utf8').split('\n');
  const at = lines[line - 1];
  if (at?.includes(before) !== true) return;
  lines[line - 1] = at.replace(before, () => after);
  try {
    await writeFile(path, lines.join('\n'));
    await use();
  } finally {
    await writeFile(path, bytes);
  }
}
