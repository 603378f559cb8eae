import type { IfStatement, Node } from '@babel/types';
import type { IsActing } from '../../ports/acceptance.ts';
import { applyEdits, type Candidate, type TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, parseSource, startOf } from '../../repair/syntax/parse.ts';
import { inStatementList, isLoneBody, sitesOf, type Site } from '../../repair/syntax/walk.ts';
import { lineStarts, type ChangedSource } from './changed-source.ts';
import { wordsOf } from './changed-words.ts';
import { exchangedLiterals } from './exchanged-literals.ts';
import { innocentIn } from './innocent-questions.ts';
import { isRangeOrForm, isThrowing } from './limiting-guards.ts';
import { reductionsOf, type Asked, type Range } from './reductions.ts';
import type { RevertedBlock } from './reverted-blocks.ts';
import { actsWhereItStands } from './run-when-declared.ts';

/**
 * The parts that a change adds, each with the edit that takes it out: a statement which does something, a decision, and an
 * operand, an argument or an item whose code reaches outside of the process. Decisions are operands, branches, cases, entries of
 * lists and tables, and defaults; of those that innocent questions lead to (`a === null`, `!list.length`), and of guards
 * with such a question, nothing is asked. Neither are texts and numbers in the place of others, which are put back.
 */
export function addedParts(sources: readonly ChangedSource[], isActing: IsActing): RevertedBlock[] {
  return sources.flatMap((source) => partsOf(source, isActing));
}

const GROWING = /^(?:Array|Object)Expression$/;

function partsOf(source: ChangedSource, isActing: IsActing): RevertedBlock[] {
  const { file, parsed } = source;
  const starts = lineStarts(parsed.text);
  const isAdded = addedIn(source);
  const lineOf = (at: number): number => starts.findLastIndex((it) => it <= at) + 1;
  const isInnocent = innocentIn(source);
  const acts = (between: Range): boolean =>
    isActing(file, parsed.text, { first: lineOf(between[0]), last: lineOf(between[1]), between });
  const asked: Asked = { text: parsed.text, isAdded, isInnocent, acts };
  const edits = sitesOf(parsed.tree.program).flatMap((site) => {
    // A list or a table may have grown by lines.
    if (!isAdded(site.node)) return GROWING.test(site.node.type) ? reductionsOf(site, asked) : [];
    const label = labelOf(site.node);
    if (label !== undefined) return [label];
    if (isEffect(site) && !(isGuard(site.node) && isInnocentGuard(site.node, asked)))
      return [
        { start: startOf(site.node), end: endOf(site.node), replacement: isLoneBody(site) ? '{}' : '' },
      ];
    return reductionsOf(site, asked);
  });
  return [...edits, ...exchangedLiterals(source)].flatMap((edit) => partOf(source, edit) ?? []);
}

/** Tells whether a change brings an expression or a statement. */
export function addedIn({ parsed, blocks }: ChangedSource): (node: Node) => boolean {
  const old = inWords(blocks.map((block) => block.before.join('\n')).join('\n'));
  return (node) => {
    const { start, end } = node.loc!;
    const isInside = blocks.some((it) => it.line <= start.line && end.line < it.line + it.lines);
    return isInside && !old.includes(inWords(parsed.text.slice(startOf(node), endOf(node))));
  };
}

/** The part that an edit takes out; undefined if the edit spoils the source. */
export function partOf(source: ChangedSource, own: TextEdit): RevertedBlock | undefined {
  const { file, parsed } = source;
  const without = parseSource(file, applyEdits(parsed.text, [own]));
  if ('problem' in without || without.errors.length > parsed.errors.length) return undefined;
  const edit = { ...own, file };
  const before = parsed.text.slice(0, own.start).split('\n').length;
  const lines = parsed.text.slice(own.start, own.end).split('\n').length;
  const candidate: Candidate = {
    ...{ edits: [edit], operator: 'revert', line: before, prior: 1 },
    signature: `${file}: added at ${own.start}-${own.end} ${own.replacement}`,
  };
  return {
    source,
    block: { file, line: before, lines, before: [] },
    edit,
    added: parsed.text.slice(own.start, own.end),
    candidate,
  };
}

const DOES = /^(?:Expression|If|For|ForIn|ForOf|While|DoWhile|Try|Switch|Block|With|Debugger)Statement$/;

/** Whether a site is a statement that can be left out and does something. */
function isEffect(site: Site): boolean {
  const { node, parent } = site;
  if (!inStatementList(site) && !isLoneBody(site)) return false;
  if (node.type === 'VariableDeclaration')
    return inStatementList(site) && node.declarations.some((it) => actsWhereItStands(it));
  if (parent?.node.type === 'LabeledStatement' || isSuper(node)) return false;
  return DOES.test(node.type);
}

function isSuper(node: Node): boolean {
  return (
    node.type === 'ExpressionStatement' &&
    node.expression.type === 'CallExpression' &&
    node.expression.callee.type === 'Super'
  );
}

/** The edit that takes the label of a statement away. */
function labelOf(node: Node): TextEdit | undefined {
  return node.type === 'LabeledStatement'
    ? { start: startOf(node), end: startOf(node.body), replacement: '' }
    : undefined;
}

const LEAVES = /^(?:Return|Throw|Continue|Break)Statement$/;

/** `if (…) return …`, which a careful author adds without a test. */
export function isGuard(node: Node): node is IfStatement {
  if (node.type !== 'IfStatement') return false;
  const branches = [node.consequent, ...(node.alternate ? [node.alternate] : [])];
  return branches.every((branch) => {
    const body: readonly Node[] = branch.type === 'BlockStatement' ? branch.body : [branch];
    return body.length > 0 && body.every((it) => LEAVES.test(it.type) || isGuard(it));
  });
}

/** A guard for a value that is not there or of the wrong kind; one that throws may also ask how large or how long it is. */
function isInnocentGuard(node: IfStatement, { isInnocent, acts }: Asked): boolean {
  if (acts([startOf(node), endOf(node)])) return false;
  return isInnocent(node.test) || (isThrowing(node) && isRangeOrForm(node.test, isInnocent));
}

/** The words of a text between blanks, so that a part of a word is not found in it. */
function inWords(text: string): string {
  return ` ${wordsOf(text)
    .map(({ text: word }) => word)
    .join(' ')} `;
}
