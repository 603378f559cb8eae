import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { Check } from '../../ports.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { isLabel, walk } from '../acceptance/syntax.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';
import {
  flippedFiles,
  passes,
  untyped,
  type CanaryInPlaceRequest,
  type FlippedFile,
} from '../flipped-tests.ts';
import { exportedConstants } from './exported-constants.ts';
import { expectedNames, namesImported, programOf, stemOf, type ExpectedName } from './expected-names.ts';

/**
 * A sentence on a test that failed before and passes now because the value that it compares with is another one: a changed
 * constant of a source, which the product may use as well, or an exported list or object that the code changes while the
 * tests run, as it did not before. Undefined if there is none. A run for each, and one with the base's sources, where tests
 * compare with such a name; the files are put back. Never rejects for what the tests do.
 */
export async function findMovedExpectation(
  check: Check,
  asked: CanaryInPlaceRequest & ChangedSources,
): Promise<string | undefined> {
  return (await findMovedConstant(check, asked)) ?? (await findWrittenExpectation(check, asked));
}

async function findMovedConstant(
  check: Check,
  asked: CanaryInPlaceRequest & ChangedSources,
): Promise<string | undefined> {
  const { request, sources, baseText } = asked;
  for (const source of sources) {
    const before = await baseText(source);
    if (before === undefined) continue;
    const values = movedConstants(source, before, textOf(join(request.root, source)));
    if (values.size === 0) continue;
    const files = flippedFiles(asked, (text, file) => {
      const names = namesImported(text, file, (stem) => stem === stemOf(source));
      return expectedNames(text, names).filter(({ name }) => values.has(name));
    });
    if (files.length === 0) continue;
    const report = await runWith(check, asked, files, ({ name }) => `(${values.get(name)!})`);
    for (const { file, changes } of files)
      for (const [place] of changes)
        if (place !== undefined && !passes(file, place, report))
          return `"${place.test}" of ${file} compares with ${place.name} of ${source}, which was changed, and fails with the value that it had before. So the expectation was changed to fit the result. Change what is tested; if the value is meant, --allow ${source} permits it.`;
  }
  return undefined;
}

/** Exported constants with another plain value than before, and the text of that one. */
export function movedConstants(path: string, before: string, now: string): ReadonlyMap<string, string> {
  const after = exportedConstants(path, now);
  return new Map(
    [...exportedConstants(path, before)].filter(
      ([name, text]) => after.has(name) && after.get(name) !== text && isPlain(text),
    ),
  );
}

/** A literal, or a list or an object of literals. */
function isPlain(text: string): boolean {
  const nodes = programOf('x.ts', `(${text})`);
  let isOpen = nodes.length === 0;
  for (const top of nodes)
    walk(top, (node, parents) => {
      const isName = node.type === 'Identifier' && !isLabel(node, parents.at(-1));
      if (isName || /^(Call|New|Function|ArrowFunction|Await|Import)/.test(node.type)) isOpen = true;
    });
  return !isOpen;
}

async function findWrittenExpectation(
  check: Check,
  asked: CanaryInPlaceRequest & ChangedSources,
): Promise<string | undefined> {
  const files = flippedFiles(asked, (text, file) =>
    /getBuiltinModule|\bfs\b/.test(text)
      ? []
      : expectedNames(
          text,
          namesImported(text, file, () => true),
        ),
  );
  if (files.length === 0 || asked.request.signal.aborted) return undefined;
  const { cacheDir } = asked.request;
  mkdirSync(cacheDir, { recursive: true });
  const folder = mkdtempSync(join(cacheDir, 'expectations-'));
  const to = join(folder, 'marks');
  const written = async (): Promise<ReadonlySet<string>> => {
    writeFileSync(to, '');
    await runWith(check, asked, files, ({ name }, at) => `${NOTE}('${at}', '${name}', ${name})`, {
      folder,
      to,
    });
    return new Set(textOf(to).split('\n').filter(Boolean));
  };
  try {
    const now = await written();
    if (now.size === 0) return undefined;
    const before = await withBase(asked, written);
    const added = [...now].find((it) => !before.has(it));
    if (added === undefined) return undefined;
    const [at, name] = added.split(' ') as [string, string];
    const { file, changes } = files[Number(at)]!;
    const { test } = changes.flat().find((place) => place.name === name)!;
    return `"${test}" of ${file} compares with ${name}, which the changed code changes while it is tested, and did not before. So the expectation is what the code makes of it. Leave what is exported as it is; if it is meant, --allow permits it in a source file.`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const NOTE = '__noteExpected';

/** Declares what notes names whose value is no longer what it was when the test file was loaded, and gives that value. */
function noteCode(names: readonly string[], to: string): string {
  return `;const ${NOTE} = (() => { const { appendFileSync } = process.getBuiltinModule('node:fs'); const text = (it) => { try { return JSON.stringify(it) } catch { return '' } }; const loaded = { ${names.map((name) => `${name}: text(${name})`).join(', ')} }; return (at, name, it) => { if (text(it) !== loaded[name]) appendFileSync(${JSON.stringify(to)}, at + ' ' + name + '\\n'); return it; }; })();\n`;
}

async function runWith(
  check: Check,
  { request }: CanaryInPlaceRequest,
  files: readonly FlippedFile<ExpectedName>[],
  textFor: (place: ExpectedName, at: number) => string,
  noted?: { readonly folder: string; readonly to: string },
) {
  const texts = new Map(
    files.map(({ file, source, changes }, at) => {
      const places = changes.flat();
      const text = [...places]
        .sort((a, b) => b.from - a.from)
        .reduce(
          (made, place) => made.slice(0, place.from) + textFor(place, at) + made.slice(place.to),
          source,
        );
      const names = [...new Set(places.map(({ name }) => name))];
      const note = noted === undefined ? '' : noteCode(names, noted.to);
      return [file, untyped(file, withDeclaration(file, text, note))];
    }),
  );
  const writable = [...(request.writable ?? []), ...(noted === undefined ? [] : [noted.folder])];
  const own = { ...request, writable, fresh: true, files: [...texts.keys()] };
  return withTexts(request.root, texts, () => check.run(own));
}

/** The text with a declaration behind its last import. */
function withDeclaration(file: string, text: string, declaration: string): string {
  if (declaration === '') return text;
  const last = programOf(file, text).findLast(({ type }) => type === 'ImportDeclaration');
  const end = last?.end ?? 0;
  return `${text.slice(0, end)}\n${declaration}${text.slice(end)}`;
}
