import { join, posix } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import { reachedFiles } from '../../platform/modules/import-graph.ts';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { flippedFiles, passes, type FlippedFile } from '../flipped-tests.ts';
import { namesImported, programOf, stemOf } from './expected-names.ts';
import {
  functionsIn,
  isAssertion,
  judgingUses,
  type JudgingFunction,
  type JudgingUse,
  type Role,
} from './judging-roles.ts';
import { walk } from '../acceptance/syntax.ts';
import { isUsedByProduct, namesFrom, type SourceJudgesRequest } from './source-judges.ts';

/** A source that may judge, with its text of the base and its functions there. */
interface Judge {
  readonly source: string;
  readonly before: string;
  readonly functions: ReadonlyMap<string, JudgingFunction>;
  /** How a function can judge; not at all if the product uses it. */
  readonly rolesOf: (name: string) => ReadonlySet<Role>;
}

/**
 * A sentence on a changed source by which tests judge that passed before and pass now: with that source as it was, one of them
 * fails on what else was changed, and with that source as it is now it passes on what was there before. So the judge accepts more
 * than it did, and what is judged needs that. Undefined if there is none. Nothing runs where no test judges by a changed source;
 * else one run of these tests, and three where one fails. The files are put back.
 */
export async function findSwappedJudge(
  check: Check,
  asked: SourceJudgesRequest,
): Promise<string | undefined> {
  const { request, sources, before, now } = asked;
  const passed = new Set(before.filter(({ status }) => status === 'passed').map(({ id }) => id));
  const kept = { request, before: [], now: now.filter(({ id }) => passed.has(id)) };
  for (const source of sources) {
    const judge = await judgeIn(source, asked);
    if (judge === undefined) continue;
    const used = new Set<string>();
    const files = flippedFiles(kept, (text, file) => usesIn(text, file, { judge, used, asked }));
    const parts = files.length === 0 ? undefined : await partsOf(judge, asked, used);
    if (parts === undefined || request.signal.aborted) continue;
    const own = { ...request, fresh: true, files: files.map(({ file }) => file) };
    const run = (texts: ReadonlyMap<string, string>): Promise<CheckReport> =>
      withTexts(request.root, texts, () => check.run(own));
    const failing = failingIn(files, await run(parts.formerJudge));
    if (failing.length === 0) continue;
    const other = await run(parts.formerOthers);
    const again = failingIn(files, await run(parts.formerJudge));
    const found = failing.find(
      (use) =>
        passes(use.file, use, other) && again.some((it) => it.test === use.test && it.file === use.file),
    );
    if (found === undefined) continue;
    return `"${found.test}" of ${found.file} judges by ${found.name} of ${source}, which this change edits as well, and fails with ${source} as it was. So what judges was changed to fit what is judged. Put it back and repair what is tested; if it is meant, --allow ${source} permits it.`;
  }
  return undefined;
}

async function judgeIn(
  source: string,
  { request, baseText, isJudge }: SourceJudgesRequest,
): Promise<Judge | undefined> {
  const before = await baseText(source);
  if (before === undefined || before === textOf(join(request.root, source))) return undefined;
  const functions = functionsIn(source, before);
  const known = new Map<string, ReadonlySet<Role>>();
  const { root } = request;
  const judges = (path: string): boolean => isJudge(path) || isHelper(path, { root, isJudge });
  // A function that the product calls belongs to the product, and judges nothing.
  const own = ({ roles }: JudgingFunction, name: string): ReadonlySet<Role> =>
    roles.size > 0 && isUsedByProduct(name, source, { root, isJudge: judges }) ? NONE : roles;
  const rolesOf = (name: string): ReadonlySet<Role> => {
    const found = functions.get(name);
    if (found !== undefined && !known.has(name)) known.set(name, own(found, name));
    return known.get(name) ?? NONE;
  };
  return functions.size === 0 ? undefined : { source, before, functions, rolesOf };
}

const NONE: ReadonlySet<Role> = new Set();

/** A file that loads what tests compare with, or that throws and that no file of the product names, is a helper of tests. */
function isHelper(
  path: string,
  judges: Pick<SourceJudgesRequest, 'isJudge'> & { readonly root: string },
): boolean {
  const text = textOf(join(judges.root, path));
  const name = posix.basename(stemOf(path));
  return COMPARES.test(text) || (/\bthrow\b/.test(text) && !isUsedByProduct(name, path, judges));
}

const COMPARES = /['"`](?:(?:node:)?assert(?:\/strict)?|chai|expect|@jest\/expect|@vitest\/expect)['"`]/;

interface Parts {
  /** The judge as it was, with what else was changed. */
  readonly formerJudge: ReadonlyMap<string, string>;
  /** The judge as it is, with what else was there. */
  readonly formerOthers: ReadonlyMap<string, string>;
}

/**
 * Undefined where nothing but the judge was changed, or the functions that judge are as they were. A source without other changed
 * functions is exchanged as a whole, with its constants. `used`: the functions that judge.
 */
async function partsOf(
  { source, before, functions }: Judge,
  { request, baseText, sources }: SourceJudgesRequest,
  used: ReadonlySet<string>,
): Promise<Parts | undefined> {
  const formerOthers = new Map<string, string>();
  for (const other of sources) {
    const text = other === source ? undefined : await baseText(other);
    if (text !== undefined && text !== textOf(join(request.root, other))) formerOthers.set(other, text);
  }
  const now = textOf(join(request.root, source));
  const after = functionsIn(source, now);
  const isKept = ([name, { node }]: [string, JudgingFunction]): boolean => {
    const other = after.get(name)?.node;
    return other !== undefined && sliceOf(now, other) === sliceOf(before, node);
  };
  const isJudgeAlone = [...functions].every((one) => used.has(one[0]) || isKept(one));
  if (isJudgeAlone && formerOthers.size > 0)
    return { formerJudge: new Map([[source, before]]), formerOthers };
  const formerJudge = withFunctionsOf(source, { text: now, other: before, names: used });
  const formerRest = withFunctionsOf(source, { text: before, other: now, names: used });
  const isRestKept = formerRest === now && formerOthers.size === 0;
  if (formerJudge === now || isRestKept) return undefined;
  return {
    formerJudge: new Map([[source, formerJudge]]),
    formerOthers: new Map([...formerOthers, [source, formerRest]]),
  };
}

function sliceOf(text: string, { start, end }: JudgingFunction['node']): string {
  return text.slice(start!, end!);
}

interface Exchange {
  readonly text: string;
  readonly other: string;
  readonly names: ReadonlySet<string>;
}

/** A text with the functions of these names as another text has them. */
function withFunctionsOf(path: string, { text, other, names }: Exchange): string {
  const others = functionsIn(path, other);
  return [...functionsIn(path, text)]
    .filter(([name]) => names.has(name) && others.has(name))
    .sort(([, a], [, b]) => b.node.start! - a.node.start!)
    .reduce((code, [name, { node }]) => {
      const { node: from } = others.get(name)!;
      return code.slice(0, node.start!) + sliceOf(other, from) + code.slice(node.end!);
    }, text);
}

interface Uses {
  readonly judge: Judge;
  /** Gets the functions of the judge that are used. */
  readonly used: Set<string>;
  readonly asked: SourceJudgesRequest;
}

/** The tests of a file that judge by the source, themselves or by a helper that was not changed. */
function usesIn(text: string, file: string, { judge, used, asked }: Uses): JudgingUse[] {
  const { source, functions, rolesOf } = judge;
  const { request, sources } = asked;
  const { root } = request;
  const behind = new Map<string, readonly string[]>();
  const imported = new Map<string, ReadonlySet<Role>>();
  for (const name of namesFrom(text, file, [source])) imported.set(name, rolesOf(name));
  const direct = reachedFiles(root, file).flatMap((it) => (it.depth === 1 ? [it.file] : []));
  for (const helper of direct.filter((path) => !sources.includes(path))) {
    const asks = askedBy(textOf(join(root, helper)), helper, { source, rolesOf });
    for (const name of namesImported(text, file, (stem) => stem === stemOf(helper))) {
      if (asks.length === 0 || imported.has(name)) continue;
      imported.set(name, new Set<Role>(['asserts']));
      behind.set(name, asks);
    }
  }
  const matching = [...functions].filter(([, { roles }]) => roles.has('matches'));
  const matchers = new Set(matching.map(([name]) => name));
  const isSerializer = /\baddSnapshotSerializer\b/.test(text) && direct.includes(source);
  const serializer = isSerializer ? 'the serializer' : undefined;
  const uses = judgingUses(text, { imported, matchers, serializer });
  for (const { name } of uses)
    for (const one of name === serializer ? functions.keys() : (behind.get(name) ?? [name])) used.add(one);
  return uses.map((use) => ({ ...use, name: behind.get(use.name)?.join(' and ') ?? use.name }));
}

/** Functions of the source that a helper which asserts asks whether values agree. */
function askedBy(
  text: string,
  file: string,
  { source, rolesOf }: Pick<Judge, 'source' | 'rolesOf'>,
): readonly string[] {
  const names = [...namesFrom(text, file, [source])].filter(
    (name) => rolesOf(name).has('compares') || rolesOf(name).has('asserts'),
  );
  if (names.length === 0) return [];
  const asked = new Set<string>();
  let isAsserting = false;
  for (const top of programOf(file, text))
    walk(top, (node) => {
      if (node.type === 'ThrowStatement' || isAssertion(node)) isAsserting = true;
      if (node.type === 'CallExpression' && node.callee.type === 'Identifier') asked.add(node.callee.name);
    });
  return isAsserting ? names.filter((name) => asked.has(name)) : [];
}

interface FailingUse extends JudgingUse {
  readonly file: string;
}

/** Errors of code that does not fit together, which say nothing about what is judged. */
const MISFIT =
  /^(?:\w+: )?(?:TypeError|ReferenceError|SyntaxError)\b|Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|does not provide an export/;

function failingIn(files: readonly FlippedFile<JudgingUse>[], report: CheckReport): FailingUse[] {
  return files.flatMap(({ file, changes }) =>
    changes.flatMap(([first]) =>
      first !== undefined && fails(file, first, report) ? [{ ...first, file }] : [],
    ),
  );
}

function fails(file: string, use: JudgingUse, { tests, diagnostics }: CheckReport): boolean {
  const own = tests.filter((test) => test.file === file && test.name === use.test);
  const ids = new Set(own.filter(({ status }) => status === 'failed').map(({ id }) => id));
  const isMisfit = diagnostics.some(
    ({ test_id: id, message }) => id !== undefined && ids.has(id) && MISFIT.test(message),
  );
  return ids.size > 0 && !isMisfit;
}
