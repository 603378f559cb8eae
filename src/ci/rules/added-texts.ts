import type { Comment, Node } from '@babel/types';
import { findSecrets } from '../../platform/redaction/redact.ts';
import { orderIn } from '../../platform/redaction/unsafe-text.ts';
import { parsedOf, type Parsed } from '../../workspace/protect/suppressions/parse-source.ts';
import { isNamedTest, isTest } from '../../workspace/protect/protected-paths.ts';
import { addressesIn, mentionsIn } from './addresses.ts';
import { visit } from './declared-names.ts';
import { directivesIn } from './directives.ts';
import { encodedIn } from './encoded-text.ts';
import { numberListsIn } from './number-lists.ts';
import type { ChangedText } from './unseen.ts';

const SOURCE = /\.[cm]?[jt]sx?$/;
const DECLARATION = /\.d\.[cm]?ts$/;
/** Whether people read a file; what nobody needs of it is left out of a fix anyway. */
const DOCUMENT = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i;
const BINARY = '\0';

/** A text of a file: a comment, or one that the code has as a value. */
interface Text {
  readonly value: string;
  /** First line, 1-based. */
  readonly line: number;
  readonly isComment: boolean;
}

/**
 * Why a changed file has a text that is not for its readers, as the end of "The patch …"; undefined if it has none. Prose is
 * free. A comment that programs or agents act on, that calls somebody or leads to another site, and any text that holds a
 * secret, something encoded, or an order which a model may follow, may stay where the file had it.
 */
export function problemOfAddedTexts({ path, before = '', after }: ChangedText): string | undefined {
  if (after.includes(BINARY) || DOCUMENT.test(path)) return undefined;
  const isOfTest = isTest(path) || isNamedTest(path);
  const permits = `; --allow ${JSON.stringify(path)} permits it`;
  const secret = isOfTest ? undefined : newSecret(before, after);
  // Nobody wants to see it in a log.
  if (secret !== undefined)
    return `changes ${JSON.stringify(path)} so that line ${secret} seems to hold a secret${permits}`;
  const isKnown = (host: string): boolean => before.toLowerCase().includes(host);
  const findingsOf = (text: string): PlacedFinding[] => findingsIn({ path, text, isOfTest, isKnown });
  const old = countOf(findingsOf(before));
  for (const { text, line, does } of findingsOf(after)) {
    const left = old.get(keyOf(does, text)) ?? 0;
    old.set(keyOf(does, text), left - 1);
    if (left > 0) continue;
    return `changes ${JSON.stringify(path)} so that line ${line} ${does} (${shortened(text)})${permits}`;
  }
  return undefined;
}

interface PlacedFinding {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  readonly does: string;
}

/** Comments, values and lists in a file that are not for its readers, with their lines. */
function findingsIn({
  path,
  text,
  isOfTest,
  isKnown,
}: { readonly path: string; readonly text: string } & Omit<Reading, 'isComment'>): PlacedFinding[] {
  const parsed = SOURCE.test(path) ? parsedOf(path, text) : undefined;
  const texts = textsIn({ path, text, parsed });
  const findings = texts.flatMap(({ value, line, isComment }) =>
    found(value, { isComment, isOfTest, isKnown }).map(({ index, ...finding }) => ({
      ...finding,
      line: line + value.slice(0, index).split('\n').length - 1,
    })),
  );
  const comments = texts.filter(({ isComment }) => isComment);
  const numbers =
    parsed === undefined || DECLARATION.test(path) ? [] : numberListsIn(parsed.root, { comments, isOfTest });
  return [...findings, ...numbers].sort((a, b) => a.line - b.line);
}

/** How often each finding is there. */
function countOf(findings: readonly PlacedFinding[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text, does } of findings)
    counts.set(keyOf(does, text), (counts.get(keyOf(does, text)) ?? 0) + 1);
  return counts;
}

/** The line of the first secret that the earlier text does not have. */
function newSecret(before: string, after: string): number | undefined {
  const spans = findSecrets(after, {});
  const first = spans.find(({ start, end }) => !before.includes(after.slice(start, end)));
  return first && after.slice(0, first.start).split('\n').length;
}

/** Whether nothing in a text is meant for programs or agents. */
export function isForReaders(text: string): boolean {
  return found(text, { isComment: true, isOfTest: false, isKnown: () => false }).length === 0;
}

interface Finding {
  readonly text: string;
  readonly index: number;
  readonly does: string;
}

interface Reading {
  readonly isComment: boolean;
  readonly isOfTest: boolean;
  readonly isKnown: (host: string) => boolean;
}

function found(value: string, { isComment, isOfTest, isKnown }: Reading): Finding[] {
  const findings: Finding[] = isComment ? directivesIn(value, isOfTest) : [];
  if (isOfTest && !isComment) return findings;
  const order = orderIn(value);
  if (order !== undefined)
    findings.push({ text: value, index: 0, does: 'has a text that a model may follow' });
  if (isOfTest) return findings;
  if (isComment) findings.push(...addressesIn(value, isKnown), ...mentionsIn(value));
  return [
    ...findings,
    ...encodedIn(value).map((it) => ({ ...it, does: 'has a long word that is not readable' })),
  ];
}

function keyOf(does: string, text: string): string {
  return `${does} ${text.replaceAll(/\s+/g, ' ')}`;
}

const MAX_SHOWN = 60;

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return JSON.stringify(line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line);
}

/** The comments and the values of a source; of other files, the comments that most languages would see. */
function textsIn({
  path,
  text,
  parsed,
}: {
  readonly path: string;
  readonly text: string;
  readonly parsed: Parsed | undefined;
}): Text[] {
  if (parsed === undefined) return othersIn(text);
  return [...commentsOf(parsed.comments), ...(DECLARATION.test(path) ? [] : valuesOf(parsed.root))];
}

/** Line comments that follow each other are one text. */
function commentsOf(comments: readonly Comment[]): Text[] {
  const texts: { value: string; line: number; end: number; isLine: boolean }[] = [];
  for (const { type, value, loc } of comments) {
    const [first, last] = [loc!.start.line, loc!.end.line];
    const isLine = type === 'CommentLine';
    const before = texts.at(-1);
    if (isLine && before?.isLine === true && before.end + 1 === first) {
      before.value += `\n${value}`;
      before.end = first;
    } else texts.push({ value: withoutMargin(value), line: first, end: last, isLine });
  }
  return texts.map(({ value, line }) => ({ value, line, isComment: true }));
}

function withoutMargin(comment: string): string {
  return comment.replaceAll(/\r/g, '').replaceAll(/^[^\S\n]*\*+/gm, ' ');
}

function valuesOf(root: Node): Text[] {
  const texts: Text[] = [];
  visit(root, [], (node) => {
    const value = valueOf(node);
    if (value !== undefined) texts.push({ value, line: node.loc!.start.line, isComment: false });
  });
  return texts;
}

function valueOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral' || node.type === 'DirectiveLiteral' || node.type === 'JSXText')
    return node.value;
  return node.type === 'TemplateElement' ? (node.value.cooked ?? node.value.raw) : undefined;
}

const COMMENTS = /\/\*[^]*?\*\/|<!--[^]*?-->|(?<![:\w"'`])\/\/.*|(?<=^|\s)(?:#|--\s).*/gm;

function othersIn(text: string): Text[] {
  return [...text.matchAll(COMMENTS)].map(({ 0: value, index }) => ({
    value: value.replace(/^(?:\/\*|<!--|\/\/|#|--)/, (sign) => ' '.repeat(sign.length)),
    line: text.slice(0, index).split('\n').length,
    isComment: true,
  }));
}
