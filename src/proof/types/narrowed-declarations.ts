import { join, posix } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import { removeFromTree, writeInTree } from '../../platform/files/write-in-tree.ts';
import type { Check } from '../../ports.ts';
import { parseSource } from '../../repair/syntax/parse.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import { createCheck } from '../../tools.ts';
import { withBase } from '../base-sources.ts';
import type { DeclaringFiles } from './ambient-members.ts';
import { withBaseComments } from './comments-of-code.ts';
import { changedDeclarations, withTypedParameters } from './declared-beside.ts';

const DECLARATION = /\.d\.([cm]?)ts$/;
const UNTYPED = /\.[cm]?jsx?$/;
/** Comments by which a file of JavaScript leaves itself out. */
const UNCHECKED = /@ts-(?:nocheck|ignore|expect-error)/g;

/**
 * A sentence on a declaration that promises more than before of JavaScript that is the same and that the type checker does not
 * judge, by which alone a problem is gone. Undefined if there is none, or the code may give what is promised: the checker
 * itself is asked what the code returns. `before` are the base's problems of this check. The files are put back.
 */
export async function findNarrowedDeclaration(
  check: Check,
  changed: DeclaringFiles,
  before: readonly Diagnostic[],
): Promise<string | undefined> {
  if (before.length === 0) return undefined;
  return (await findInComments(check, changed, before)) ?? (await findBesideCode(check, changed, before));
}

/** By the comments of a file of JavaScript. */
async function findInComments(
  check: Check,
  { request, sources, baseText }: DeclaringFiles,
  before: readonly Diagnostic[],
): Promise<string | undefined> {
  for (const file of sources.filter((it) => UNTYPED.test(it))) {
    const text = textOf(join(request.root, file));
    const base = await baseText(file);
    const [now, then] = [parseSource(file, text), parseSource(file, base ?? '')];
    const earlier = 'problem' in now || 'problem' in then ? undefined : withBaseComments(now, then);
    if (earlier === undefined || request.signal.aborted) continue;
    const judged = async (own: string): Promise<readonly Diagnostic[]> => {
      const texts = new Map([[file, `// @ts-check\n${own.replaceAll(UNCHECKED, '')}`]]);
      return withTexts(
        request.root,
        texts,
        async () => (await check.run({ ...request, fresh: true })).diagnostics,
      );
    };
    const known = await judged(earlier);
    const hidden = hiddenIn(known, before, file);
    if (hidden === undefined) continue;
    const isKnown = new Set(known.filter((it) => it.file === file).map(({ message }) => message));
    const found = (await judged(text)).find(
      (it) => it.file === file && isUnfit(it) && !isKnown.has(it.message),
    );
    if (found !== undefined) return describe(file, found, hidden);
  }
  return undefined;
}

/** By a file of declarations beside a file of JavaScript. */
async function findBesideCode(
  { plan }: Check,
  { request, sources, data, baseText }: DeclaringFiles,
  before: readonly Diagnostic[],
): Promise<string | undefined> {
  const { root } = request;
  const check = createCheck({ ...plan, args: [...plan.args, '--allowJs'] });
  for (const file of data.filter((it) => DECLARATION.test(it))) {
    const code = file.replace(DECLARATION, '.$1js');
    const text = textOf(join(root, code));
    const base = await baseText(file);
    const names = changedDeclarations(file, textOf(join(root, file)), base ?? '');
    if (text === '' || sources.includes(code) || names.length === 0 || request.signal.aborted) continue;
    const asking = before.flatMap((it) => (it.file !== undefined && isTyped(it.file) ? [it.file] : []))[0];
    if (asking === undefined || textOf(join(root, asking)) === '') continue;
    const copy = file.replace(DECLARATION, '-as-it-is.$1js');
    const shown = (path: string): string => relativeName(asking, path);
    const probes = names.map((name, at) => probeOf({ name, at, declared: shown(code), real: shown(copy) }));
    const own = textOf(join(root, asking)).replace(/\n?$/, '\n');
    const first = own.split('\n').length;
    const asked = new Map([[asking, `${own}${probes.join('')}`]]);
    const run = async (): Promise<readonly Diagnostic[]> =>
      withTexts(root, asked, async () => (await check.run({ ...request, fresh: true })).diagnostics);
    const unfit = (all: readonly Diagnostic[]): ReadonlyMap<number, Diagnostic> =>
      new Map(all.flatMap((it) => (it.file === asking && (it.line ?? 0) >= first ? [[it.line!, it]] : [])));
    try {
      writeInTree(root, copy, withTypedParameters(code, text));
      const then = await withBase({ request, sources: [file], baseText }, run);
      const hidden = hiddenIn(then, before, file);
      if (hidden === undefined) continue;
      const known = unfit(then);
      const found = [...unfit(await run())].find(([line, it]) => isUnfit(it) && !known.has(line));
      if (found === undefined) continue;
      return describe(file, found[1], hidden);
    } finally {
      removeFromTree(root, copy);
    }
  }
  return undefined;
}

/** A problem of the base that is back. */
function hiddenIn(
  now: readonly Diagnostic[],
  before: readonly Diagnostic[],
  file: string,
): Diagnostic | undefined {
  return now.find(
    (it) => it.file !== file && before.some((then) => then.file === it.file && then.message === it.message),
  );
}

function isUnfit({ message }: Diagnostic): boolean {
  return /not assignable to type/.test(message);
}

function isTyped(file: string): boolean {
  return /\.[cm]?tsx?$/.test(file) && !DECLARATION.test(file);
}

function relativeName(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

/** One line that the checker reports if the code does not give what is declared. */
function probeOf(of: { name: string; at: number; declared: string; real: string }): string {
  const typeIn = (path: string): string => `typeof import(${JSON.stringify(path)}).${of.name}`;
  return `export const ralphProbe${of.at}: ${typeIn(of.declared)} = null! as ${typeIn(of.real)};\n`;
}

function describe(file: string, unfit: Diagnostic, { file: where = '', message }: Diagnostic): string {
  const [hidden, shown] = [message, unfit.message].map((it) => it.split('\n')[0]!.slice(0, 200));
  return `${file} declares a result that the code does not always give, and this alone hides "${hidden}" in ${where}. The code is as it was, and the type checker does not check it; made to check it, it says "${shown}". Handle that case where it was reported, or change the code; if the declaration is right, --allow ${file} permits it.`;
}
