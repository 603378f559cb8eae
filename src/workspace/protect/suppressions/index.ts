import { commentsIn, isSuppression, isUntypedDoc, ONE_LINE } from './comments.ts';
import { COMMENTS, KINDS, type Kind } from './kinds.ts';
import { lostTypes } from './lost-annotations.ts';
import { holdsAnyWithin, kindOf, looseKindOf } from './node-kind.ts';
import { parsedOf } from './parse-source.ts';
import { namesBound, namesIn, namesOfUnknown } from './source-names.ts';
import { assertedAway, baseOf, claimKindOf, linesOfAnyParameters } from './type-claims.ts';
import { linesOfOverpromises, linesOfRetypedBuiltIns } from './type-promises.ts';
import { visit } from './type-syntax.ts';

/** A place of a source that silences a check. */
export interface Suppression {
  /** Readable name of its kind. */
  readonly kind: string;
  /** Text of the line that it is about, without indentation; of the comment if it is about the file; empty if unknown. */
  readonly line: string;
  /** True if it is about the whole file, or all that follows. */
  readonly isForFile: boolean;
}

const CLAIMS = {
  guard: KINDS.EMPTY_GUARD,
  helper: KINDS.HELPER,
  dropped: KINDS.DROPPED,
  result: KINDS.RESULT,
} as const;

const CODE = /\.[cm]?[jt]sx?$/;
/** A text without any match has no suppressions and is not parsed. */
const TRIGGER =
  /@ts-|eslint|\bglobals?\s|\bexported\s|\bany\b|\bunknown\b|\bnever\b|\b(null|undefined)\b|\w!\s*:|\bobject\b|@type\b|\bdeclare\b|\binterface\s+[A-Z]\w*(Constructor\b|<)|JSON\.parse|\bReflect\b|\barguments\b|\w[)\]]?!|<\w+|\beval\b|\bFunction\b|\b(is|asserts)\s|VITEST|JEST_|NODE_TEST|AVA_|MOCHA_|\bglobal(This)?\??[.[]|(before|after)(Each|All)/;

/**
 * The suppressions in a source, by the syntax of comments and types. `base` is the earlier text of the file: a type that
 * became `any` since then counts. Of a text that cannot be parsed, only comments count.
 */
export function suppressionsIn(path: string, text: string, base = ''): Suppression[] {
  if (!CODE.test(path) || !TRIGGER.test(text)) return [];
  const lines = text.split('\n');
  const found: Suppression[] = [];
  const add = ({ name }: Kind, line: number): void =>
    void found.push({ kind: name, line: lines[line - 1]?.trim() ?? '', isForFile: false });
  const parsed = parsedOf(path, text);
  for (const comment of parsed?.comments ?? commentsIn(text)) {
    const { end } = comment.loc!;
    for (const kind of COMMENTS.filter((it) => isSuppression(comment, it))) {
      if (ONE_LINE.test(comment.value))
        add(kind, end.line + (/^\s*eslint-disable-line\b/.test(comment.value) ? 0 : 1));
      else found.push({ kind: kind.name, line: comment.value.trim(), isForFile: true });
    }
    if (isUntypedDoc(path, comment)) add(KINDS.DOCUMENTED, end.line + 1);
  }
  if (parsed === undefined) return found;
  const isAmbientFile = /\.d\.[cm]?ts$/.test(path);
  const hasAny = /\bany\b/.test(base);
  const then = baseOf(base);
  const isTypeScript = /\.[cm]?tsx?$/.test(path) && !isAmbientFile;
  const surroundings = {
    isAmbientFile,
    unknowns: namesOfUnknown(parsed.root),
    bound: namesBound(parsed.root),
    ...namesIn(parsed.root),
  };
  visit(parsed.root, (node) => {
    const { line } = node.loc!.start;
    const kind = kindOf(node, surroundings) ?? looseKindOf(node, surroundings);
    if (kind !== undefined) add(kind, line);
    if (kind === KINDS.TEXT_CODE) add(KINDS.TEXT_VALUE, line);
    if (!hasAny && holdsAnyWithin(node)) add(KINDS.ANY_WITHIN, line);
    for (const own of linesOfAnyParameters(node, then, surroundings.overloaded)) add(KINDS.PARAMETER, own);
    if (isTypeScript && assertedAway(node, text, then)) add(KINDS.NO_NULL, line);
    const claim = isTypeScript ? claimKindOf(node, then) : undefined;
    if (claim !== undefined) add(CLAIMS[claim], line);
  });
  if (isTypeScript) for (const line of linesOfOverpromises(parsed.root, text)) add(KINDS.OVERPROMISE, line);
  for (const line of linesOfRetypedBuiltIns(parsed.root)) add(KINDS.RETYPED, line);
  for (let left = lostTypes(path, parsed, base); left > 0; left--)
    found.push({ kind: KINDS.ANNOTATION.name, line: '', isForFile: false });
  return found;
}
