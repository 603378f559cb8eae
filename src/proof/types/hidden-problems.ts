import { join } from 'node:path';
import type { Check } from '../../ports.ts';
import { textOf } from '../../platform/files/text-of.ts';
import { applyEdits } from '../../repair/syntax/edit.ts';
import { parseSource } from '../../repair/syntax/parse.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import type { ChangedSources } from '../base-sources.ts';
import { addedClaims, type Claim } from './added-claims.ts';
import { addedTypes, probeOf } from './any-probes.ts';
import { droppedClaims } from './dropped-claims.ts';
import { launderedValues } from './laundered-values.ts';

/** A changed source without what it claims, and with probes of the types that it names. */
interface Doubted {
  readonly text: string;
  /** What the type checker reported there before. */
  readonly reported: readonly string[];
  /** Number of lines before the probes. */
  readonly lines: number;
  readonly claims: readonly Claim[];
  /** The types that the probes ask for, in the order of their lines. */
  readonly types: readonly string[];
}

/** A type error that says that there may be no value. */
const MISSING = /\bundefined\b|\bnull\b/;

/**
 * A sentence on a problem of the type checker that a change only hides: one that is back when a new assertion (`as User`, `x!`) or
 * a new conversion to a text is taken away, or a value that could be anything has the type that it has or had in the base, and a type with
 * another name that is `any`. Undefined if there is none, or the checker
 * reported nothing in the changed sources before. `before` are the base's problems of this check.
 */
export async function findHiddenProblem(
  check: Check,
  { request, sources, baseText }: ChangedSources,
  before: readonly Diagnostic[],
): Promise<string | undefined> {
  const problems = before.filter(({ file }) => file !== undefined && sources.includes(file));
  if (problems.length === 0) return undefined;
  const doubted = new Map<string, Doubted>();
  for (const file of sources.filter((it) => /\.[cm]?tsx?$/.test(it))) {
    const own = doubt(file, textOf(join(request.root, file)), (await baseText(file)) ?? '');
    const reported = problems.flatMap((it) => (it.file === file ? [it.message] : []));
    if (own !== undefined) doubted.set(file, { ...own, reported });
  }
  if (doubted.size === 0 || request.signal.aborted) return undefined;
  const texts = new Map([...doubted].map(([file, { text }]) => [file, text]));
  const { diagnostics } = await withTexts(request.root, texts, () => check.run({ ...request, fresh: true }));
  for (const [file, own] of doubted)
    for (const problem of diagnostics.filter((it) => it.file === file)) {
      const found = sentenceOn(problem, file, own);
      if (found !== undefined) return found;
    }
  return undefined;
}

function doubt(file: string, text: string, base: string): Omit<Doubted, 'reported'> | undefined {
  const [now, then] = [parseSource(file, text), parseSource(file, base)];
  if ('problem' in now || 'problem' in then) return undefined;
  const claims = [...addedClaims(now, then), ...droppedClaims(now, then), ...launderedValues(now, then)];
  const types = addedTypes(now, then);
  if (claims.length + types.length === 0) return undefined;
  const edits = claims.flatMap((claim) => claim.edits).toSorted((a, b) => a.start - b.start);
  const bare = applyEdits(text, edits).replace(/\n?$/, '\n');
  return {
    text: bare + types.map(probeOf).join(''),
    lines: bare.split('\n').length - 1,
    claims,
    types,
  };
}

function sentenceOn(
  { message, line = 0 }: Diagnostic,
  file: string,
  { lines, claims, types, reported }: Doubted,
): string | undefined {
  if (line > lines) {
    const type = types[line - lines - 1];
    return type !== undefined && /'"any"'|"any"/.test(message) ? describeAny(type, file) : undefined;
  }
  const isReported = reported.some((it) => it === message || isOfSameType(it, message));
  const able = claims.filter(({ isRepeated = false }) => !isRepeated || isReported);
  const near = able.filter((it) => it.firstLine <= line && line <= it.lastLine + 1);
  const claim = near.find(({ isConversion }) => !isConversion || MISSING.test(message)) ?? able[0];
  // What is of no known type has to be asserted.
  if (claim === undefined || /'unknown'/.test(message)) return undefined;
  return claim.isConversion && !MISSING.test(message) ? undefined : describeClaim(claim, file, message);
}

/** Whether two problems say that a value is not of the same type. */
function isOfSameType(a: string, b: string): boolean {
  const [wanted, other] = [a, b].map((it) => /assignable to type '([^']+)'/.exec(it)?.[1]);
  return wanted !== undefined && wanted === other;
}

function describeAny(type: string, file: string): string {
  return `The type ${type.slice(0, 100)} in ${file} is any: the type checker checks nothing there, so a problem that it reported is only hidden. Name the type of the value; if it is meant, --allow ${file} permits it.`;
}

function describeClaim({ text, firstLine }: Claim, file: string, message: string): string {
  return `${file}:${firstLine} hides a problem of the type checker by "${text.slice(0, 100)}": without it the checker says "${message.slice(0, 200)}". Handle that case, or say it in the type; if it is meant, --allow ${file} permits it.`;
}
