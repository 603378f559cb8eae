import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../../ports.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { nestedAssertions, withMarks, type AssertionPlace } from './assertion-places.ts';
import {
  flippedFiles,
  passes,
  untyped,
  type CanaryInPlaceRequest,
  type FlippedFile,
} from '../flipped-tests.ts';
import { textOf } from '../../platform/files/text-of.ts';

/** Test files that replace what the marks need. */
const REPLACES_FILES = /mock[^\n]*\bfs\b|\bfs\b[^\n]*mock|memfs|getBuiltinModule/;

/**
 * A sentence on a test that failed before and passes now although an assertion in one of its callbacks or loops does not
 * run: an event does not come, a list is empty, a promise does not settle. Undefined if all of them run. One run for all
 * files, which are put back. Never rejects for what the tests do.
 */
export async function findUnexecutedAssertion(
  check: Check,
  asked: CanaryInPlaceRequest,
): Promise<string | undefined> {
  const { request } = asked;
  const files = flippedFiles(asked, nestedAssertions).filter(({ source }) => !REPLACES_FILES.test(source));
  if (files.length === 0) return undefined;
  mkdirSync(request.cacheDir, { recursive: true });
  const folder = mkdtempSync(join(request.cacheDir, 'marks-'));
  try {
    const to = join(folder, 'marks');
    const texts = new Map(files.map((it, at) => [it.file, marked(it, `${at}`, to)]));
    const writable = [...(request.writable ?? []), folder];
    const own = { ...request, writable, fresh: true, files: [...texts.keys()] };
    const report = await withTexts(request.root, texts, () => check.run(own));
    const seen = new Set(textOf(to).split('\n'));
    for (const [at, { file, changes }] of files.entries())
      for (const place of changes.flat())
        if (!seen.has(`${at}:${place.from}`) && passes(file, place, report))
          return describe(file, place, files[at]!.source);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function marked({ file, source, changes }: FlippedFile<AssertionPlace>, id: string, to: string): string {
  const text = withMarks(source, changes.flat(), ({ from }) => markCode(`${id}:${from}`, to));
  return untyped(file, text);
}

function markCode(mark: string, to: string): string {
  return `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(to)}, ${JSON.stringify(`${mark}\n`)})`;
}

function describe(file: string, { test, from }: AssertionPlace, source: string): string {
  const line = source.slice(0, from).split('\n').length;
  return `"${test}" of ${file} passes, but its assertion in line ${line} does not run: the code never calls back there, or gives nothing to go through. So the test proves less than it says. --allow permits it in a source file.`;
}
