import type { Node } from '@babel/types';
import type { IsActing } from '../../ports/acceptance.ts';
import { applyEdits, type Candidate, type TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, parseSource, startOf } from '../../repair/syntax/parse.ts';
import { inStatementList, isLoneBody, sitesOf, type Site } from '../../repair/syntax/walk.ts';
import { lineStarts, type ChangedSource } from './changed-source.ts';
import { decisiveValues } from './decisive-values.ts';
import type { RevertedBlock } from './reverted-blocks.ts';
import { actsWhereItStands } from './run-when-declared.ts';

/**
 * The parts that a change adds, each with the edit that takes it out: a statement which does something, and an operand, a
 * branch, an argument or an item whose code reaches outside of the process, or hangs on a value that the change brings. A
 * guard, which only leaves its function, is none otherwise.
 */
export function addedParts(sources: readonly ChangedSource[], isActing: IsActing): RevertedBlock[] {
  return sources.flatMap((source) => partsOf(source, isActing));
}

function partsOf(source: ChangedSource, isActing: IsActing): RevertedBlock[] {
  const { file, parsed, blocks } = source;
  const before = blocks.map((block) => block.before.join('\n')).join('\n');
  const old = spaceless(before);
  const starts = lineStarts(parsed.text);
  const isAdded = (node: Node): boolean => {
    const { start, end } = node.loc!;
    const isInside = blocks.some((it) => it.line <= start.line && end.line < it.line + it.lines);
    return isInside && !old.includes(spaceless(parsed.text.slice(startOf(node), endOf(node))));
  };
  const lineOf = (at: number): number => starts.findLastIndex((it) => it <= at) + 1;
  const decisive = decisiveValues(source);
  const acts = (between: Range): boolean =>
    decisive.some(([start, end]) => between[0] <= start && end <= between[1]) ||
    isActing(file, parsed.text, { first: lineOf(between[0]), last: lineOf(between[1]), between });
  const edits = sitesOf(parsed.tree.program).flatMap((site) => {
    if (!isAdded(site.node)) return [];
    const label = labelOf(site.node);
    if (label !== undefined) return [label];
    if (isEffect(site) && !(isGuard(site.node) && !acts([startOf(site.node), endOf(site.node)])))
      return [
        { start: startOf(site.node), end: endOf(site.node), replacement: isLoneBody(site) ? '{}' : '' },
      ];
    return reductionsOf(site, parsed.text).flatMap(({ edit, without }) => (without.some(acts) ? [edit] : []));
  });
  return edits.flatMap((edit) => partOf(source, edit) ?? []);
}

function partOf(source: ChangedSource, own: TextEdit): RevertedBlock | undefined {
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
function isGuard(node: Node): boolean {
  if (node.type !== 'IfStatement') return false;
  const branches = [node.consequent, ...(node.alternate ? [node.alternate] : [])];
  return branches.every((branch) => {
    const body: readonly Node[] = branch.type === 'BlockStatement' ? branch.body : [branch];
    return body.length > 0 && body.every((it) => LEAVES.test(it.type) || isGuard(it));
  });
}

type Range = readonly [start: number, end: number];

interface Reduction {
  readonly edit: TextEdit;
  /** What it leaves out. */
  readonly without: readonly Range[];
}

/** Edits that leave one part of an expression out. */
function reductionsOf({ node }: Site, text: string): Reduction[] {
  const [start, end] = [startOf(node), endOf(node)];
  const keep = (part: Node): Reduction => ({
    edit: { start, end, replacement: `(${text.slice(startOf(part), endOf(part))})` },
    without: [
      [start, startOf(part)],
      [endOf(part), end],
    ],
  });
  const replace = (replacement: string) => (part: Node | null) =>
    part === null ? [] : [replaced(part, replacement)];
  switch (node.type) {
    case 'ConditionalExpression':
      return [keep(node.consequent), keep(node.alternate)];
    case 'LogicalExpression':
    case 'BinaryExpression':
      return [keep(node.left), keep(node.right)];
    case 'SequenceExpression':
      return [keep(node.expressions.at(-1)!)];
    case 'AssignmentPattern':
      return [{ ...keep(node.left), edit: { start: endOf(node.left), end, replacement: '' } }];
    case 'CallExpression':
    case 'OptionalCallExpression':
    case 'NewExpression':
      return node.arguments.flatMap(replace('undefined'));
    case 'ArrayExpression':
      return node.elements.flatMap(replace('undefined'));
    case 'ObjectProperty':
      return replace('undefined')(node.value);
    case 'TemplateLiteral':
      return node.expressions.flatMap(replace("''"));
    default:
      return [];
  }
}

function replaced(part: Node, replacement: string): Reduction {
  const [start, end] = [startOf(part), endOf(part)];
  return { edit: { start, end, replacement }, without: [[start, end]] };
}

function spaceless(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
