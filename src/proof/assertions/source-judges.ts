import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { CallExpression, Node } from '@babel/types';
import type { Check } from '../../ports.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { isLabel, walk } from '../acceptance/syntax.ts';
import type { ChangedSources } from '../base-sources.ts';
import { exportedConstants } from './exported-constants.ts';
import { expectedIn, namesImported, programOf, rootOf, stemOf } from './expected-names.ts';
import { findMovedExpectation } from './moved-expectations.ts';
import { findLoosenedHelper } from './loosened-helpers.ts';
import { findChangedManifest } from './manifest-expectations.ts';
import { tabledNames } from './tabled-expectations.ts';
import { flippedFiles, passes, untyped, type CanaryInPlaceRequest } from '../flipped-tests.ts';
import { foundInTests, withWrong } from '../canaries/wrong-expectations.ts';
import { textOf } from '../../platform/files/text-of.ts';

export interface SourceJudgesRequest extends CanaryInPlaceRequest, ChangedSources {
  /** Tells whether a file judges the product. */
  readonly isJudge: (path: string) => boolean;
}

/**
 * A sentence on a changed source that tests use to judge: a constant that nothing but the tests uses, and that they compare
 * with, or rows of a table that they go through; a comparison or a formatter that makes them pass whatever they compare with, or a
 * helper that throws for what is not as it is kept. Undefined if there is none. The files
 * are put back. Never rejects for what the tests do.
 */
export async function findJudgeInSource(
  check: Check,
  asked: SourceJudgesRequest,
): Promise<string | undefined> {
  return (
    (await findChangedConstant(asked)) ??
    (await findChangedManifest(asked)) ??
    (await findMovedExpectation(check, asked)) ??
    (await findLoosenedHelper(check, asked)) ??
    (await findLenientComparison(check, asked))
  );
}

async function findChangedConstant(asked: SourceJudgesRequest): Promise<string | undefined> {
  const { request, sources, baseText, isJudge } = asked;
  for (const source of sources) {
    const before = await baseText(source);
    if (before === undefined) continue;
    const now = textOf(join(request.root, source));
    const changed = changedConstants(source, before, now);
    if (changed.length === 0) continue;
    const files = flippedFiles(asked, (text, file) => {
      const names = namesFrom(text, file, [source]);
      const compared = comparedNames(text, names).map((test) => ({ ...test, isTable: false }));
      return [...compared, ...tabledNames(text, file, names)];
    });
    const name = files.flatMap(({ changes }) => changes.flat()).find((it) => changed.includes(it.name))?.name;
    if (name === undefined || isUsedByProduct(name, source, { root: request.root, isJudge })) continue;
    return `${name} of ${source} was changed, which only tests use, as the value that they compare with. So the tests were changed, and not what they test. --allow ${source} permits it.`;
  }
  return undefined;
}

/** Exported constants whose value was changed and that their own file does not use, and functions named as expectations. */
export function changedConstants(path: string, before: string, now: string): string[] {
  const [then, after] = [before, now].map((text) => exportedConstants(path, text));
  return [...after!].flatMap(([name, text]) => {
    const old = then!.get(name);
    return old !== undefined && old !== text && isNamedOnce(path, now, name) ? [name] : [];
  });
}

/** Whether a name stands in a text only where it is declared. */
function isNamedOnce(path: string, text: string, name: string): boolean {
  let count = 0;
  for (const top of programOf(path, text))
    walk(top, (node, parents) => {
      if (node.type === 'Identifier' && node.name === name && !isLabel(node, parents.at(-1))) count++;
    });
  return count === 1;
}

interface ComparedName {
  readonly test: string;
  readonly name: string;
}

/** Those of the names that tests compare with, and use for nothing else. */
function comparedNames(text: string, names: ReadonlySet<string>): ComparedName[] {
  if (names.size === 0) return [];
  const expected = new Set<Node>();
  const found = foundInTests(text, (body) => {
    const own: { readonly name: string }[] = [];
    for (const statement of body)
      walk(statement, (node) => {
        if (node.type !== 'CallExpression') return;
        for (const argument of expectedIn(node))
          walk(argument, (inner) => {
            if (inner.type !== 'Identifier' || !names.has(inner.name)) return;
            expected.add(inner);
            own.push({ name: inner.name });
          });
      });
    return own;
  });
  const places = new Set([...expected].map(({ start }) => start));
  const used = new Set<string>();
  for (const top of programOf('x.test.tsx', text))
    walk(top, (node, parents) => {
      const isImport = parents.some(({ type }) => type === 'ImportDeclaration');
      const isUse = node.type === 'Identifier' && names.has(node.name) && !isImport;
      if (isUse && !isLabel(node, parents.at(-1)) && !places.has(node.start)) used.add(node.name);
    });
  return found.filter(({ name }) => !used.has(name));
}

const MAX_FILES = 3_000;

/** Whether another file of the product, or data of it, has the name in it. */
export function isUsedByProduct(
  name: string,
  source: string,
  { root, isJudge }: { readonly root: string; readonly isJudge: (path: string) => boolean },
): boolean {
  const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
  const open = ['.'];
  let left = MAX_FILES;
  for (const folder of open)
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      if (/^(node_modules|\.git|\.aiwg)$/.test(entry.name)) continue;
      if (entry.isDirectory()) open.push(path);
      if (!entry.isFile() || path === source || !/\.[cm]?[jt]sx?$/.test(path) || isJudge(path)) continue;
      if (--left < 0) return true;
      const text = textOf(join(root, path));
      if (word.test(text.replaceAll(/^\s*export\s*\{[^}]*\}\s*from.*$/gm, ''))) return true;
    }
  return false;
}

/** Names of functions that tell whether two values are equal, and of those that write a value. */
const COMPARES = /^(is)?(same|equals?|eq|deepequals?|identical|matches)(?!.*(type|kind|class|shape|length))/i;
const WRITES =
  /^(format|show|print|stringify|serialize|serialise|render|normali[sz]e|canonical|to[A-Z]\w*|clean|sort)/;

async function findLenientComparison(check: Check, asked: SourceJudgesRequest): Promise<string | undefined> {
  const { request, sources } = asked;
  const files = flippedFiles(asked, (text, file) => comparedLiterals(text, namesFrom(text, file, sources)));
  if (files.length === 0) return undefined;
  const texts = new Map(
    files.map(({ file, source, changes }) => [
      file,
      untyped(
        file,
        withWrong(
          source,
          changes.flatMap((of) => of.slice(0, 1)),
        ),
      ),
    ]),
  );
  const own = { ...request, fresh: true, files: [...texts.keys()] };
  const report = await withTexts(request.root, texts, () => check.run(own));
  for (const { file, changes } of files)
    for (const [first] of changes)
      if (first !== undefined && passes(file, first, report))
        return `"${first.test}" of ${file} passes whatever it compares with: ${first.name} of a changed source, by which it compares, tells no difference. --allow permits it in a file.`;
  return undefined;
}

/** Changes of literals that a test gives to a comparison or a formatter of the source: it must see the difference. */
export function comparedLiterals(text: string, names: ReadonlySet<string>) {
  if (names.size === 0) return [];
  return foundInTests(text, (body) =>
    body.flatMap((statement) => {
      if (statement.type !== 'ExpressionStatement') return [];
      const { expression } = statement;
      const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
      if (call.type !== 'CallExpression' || !/^(assert|expect|t)$/.test(rootOf(call.callee) ?? '')) return [];
      const expected = expectedIn(call);
      const changes: { name: string; from: number; to: number; text: string }[] = [];
      walk(call, (node, parents) => {
        if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return;
        const { name } = node.callee;
        const isExpected = expected.some((it) => it === node || parents.includes(it));
        const judges = COMPARES.test(name) ? node.arguments.length > 1 : WRITES.test(name) && isExpected;
        if (!names.has(name) || !judges) return;
        const change = otherLiteral(node.arguments.at(-1), text);
        if (change !== undefined) changes.push({ ...change, name });
      });
      return isDenied(call) ? [] : changes;
    }),
  );
}

/** An assertion that two values differ. */
function isDenied(call: CallExpression): boolean {
  let denies = false;
  walk(call, (node) => {
    if (node.type === 'UnaryExpression' && node.operator === '!') denies = true;
    if (node.type === 'BooleanLiteral' && !node.value) denies = true;
    if (
      node.type === 'Identifier' &&
      /^(not\w*|isFalse|false|doesNot\w*|toBeFalsy|isNotOk|falsy)$/.test(node.name)
    )
      denies = true;
  });
  return denies;
}

/** A literal far from the given one; undefined for other expressions. */
export function otherLiteral(node: Node | undefined, source: string) {
  if (node === undefined || typeof node.start !== 'number' || typeof node.end !== 'number') return undefined;
  const { start: from, end: to } = node;
  if (node.type === 'NumericLiteral') return { from, to, text: String(node.value + 1_000_003) };
  if (node.type === 'StringLiteral') return { from, to, text: JSON.stringify(`${node.value} and more 73`) };
  if (node.type === 'ArrayExpression')
    return { from: from + 1, to: from + 1, text: node.elements.length === 0 ? '1000003' : '1000003, ' };
  if (node.type === 'ObjectExpression')
    return { from, to, text: `{ other: 1000003, ...${source.slice(from, to)} }` };
  return undefined;
}

export function namesFrom(text: string, file: string, sources: readonly string[]): ReadonlySet<string> {
  const stems = new Set(sources.map(stemOf));
  return namesImported(text, file, (stem) => stems.has(stem));
}
