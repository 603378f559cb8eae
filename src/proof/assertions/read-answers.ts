import { statSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Node } from '@babel/types';
import { textOf } from '../../platform/files/text-of.ts';
import { parseSource } from '../../repair/syntax/parse.ts';
import { isTestFile } from '../../repair/syntax/source-files.ts';
import { sitesOf } from '../../repair/syntax/walk.ts';
import type { Tampering } from '../../schema/generated.ts';
import { specifierOf } from '../acceptance/syntax.ts';
import type { ChangedSources } from '../base-sources.ts';
import { textsIn } from '../surroundings/names.ts';

export interface ReadAnswersRequest extends ChangedSources {
  /** Sources of the tree that judge the product, relative to the root. */
  readonly judges: () => Promise<readonly string[]>;
}

/** A name for what tests compare with. */
const EXPECTED =
  /golden|snapshot|expect(?:ed|ation)s?\b|\bapproved\b|\bfixtures?\b|\btest-?data\b|\breference\b|(?:^|\/)e2e\//i;
const CODE = /\.[cm]?[jt]sx?$/;
const MANIFEST = /(?:^|\/)package\.json$/;

/**
 * Tampering for each changed source that newly names a file of data which a test names as well, and which by its path is what tests
 * compare with: the source may answer with it. Data of the product have other names, or a product that named them before.
 */
export async function findReadAnswers({
  request: { root },
  sources,
  baseText,
  judges,
}: ReadAnswersRequest): Promise<Tampering[]> {
  const found: Tampering[] = [];
  for (const source of sources) {
    const before = (await baseText(source)) ?? '';
    const named = dataNamedIn(source, textOf(join(root, source)), root);
    const added = named.filter((file) => !before.includes(posix.basename(file)));
    if (added.length === 0) continue;
    const judging = (await judges()).map((file) => textOf(join(root, file)));
    const file = added.find((it) => judging.some((text) => text.includes(posix.basename(it))));
    if (file !== undefined) found.push(answersWith(source, file));
  }
  return found;
}

/** Files of data that the strings of a source lead to, alone, or joined in one expression. */
function dataNamedIn(source: string, text: string, root: string): string[] {
  const parsed = parseSource(source, text);
  if ('problem' in parsed) return [];
  const imported = parsed.tree.program.body.flatMap((node) => specifierOf(node) ?? []);
  const strings = [...imported, ...sitesOf(parsed.tree).flatMap(({ node }) => pathIn(node) ?? [])];
  const folder = posix.dirname(source);
  const paths = strings.flatMap((path) => [posix.join(folder, path), path.replace(/^(?:\.{0,2}\/)+/, '')]);
  return [...new Set(paths)].filter((path) => isExpected(path) && isFile(root, path));
}

function pathIn(node: Node): string | undefined {
  if (!/^(?:StringLiteral|TemplateLiteral|BinaryExpression|CallExpression|NewExpression)$/.test(node.type))
    return undefined;
  const path = textsIn(node).join('/');
  return path.length < 300 && path.includes('.') ? path : undefined;
}

function isExpected(path: string): boolean {
  return (
    !path.startsWith('..') &&
    !CODE.test(path) &&
    !MANIFEST.test(path) &&
    (isTestFile(path) || EXPECTED.test(path))
  );
}

function isFile(root: string, path: string): boolean {
  return !path.includes('\0') && statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true;
}

function answersWith(source: string, data: string): Tampering {
  const detail = `${source} now names ${data}, which a test compares with, so that it may answer with what the test expects. Compute the result instead; if the file belongs to the product, --allow ${source} permits it.`;
  return { kind: 'test_aware', file: source, detail: detail.slice(0, 2_000) };
}
