import type { Node } from '@babel/types';
import { nearest as nearestWord } from '../../platform/text/nearest.ts';
import { bindingsOf, visibleAt } from '../syntax/bindings.ts';
import { applyEdits, type TextEdit } from '../syntax/edit.ts';
import { endOf, parseSource, startOf, type ParsedSource } from '../syntax/parse.ts';
import { sitesOf, statementOf, type Site } from '../syntax/walk.ts';
import type { LintFinding } from './lint-output.ts';

/** A change that may remove one lint error. */
export interface LintEdit {
  /** The file's text with the change. */
  readonly text: string;
  /** The change as `before → after`, at most 60 characters each. */
  readonly description: string;
}

type Proposal = (at: Place) => TextEdit[];

interface Place {
  readonly source: ParsedSource;
  readonly sites: readonly Site[];
  readonly finding: LintFinding;
  /** Offset of the finding. */
  readonly offset: number;
}

/** By the rule's name or its message: the edits that the rule asks for. */
const RULES: readonly (readonly [RegExp, Proposal])[] = [
  [/eqeqeq|noDoubleEquals|Expected '?[!=]==|Use [!=]== instead/i, strictEquality],
  [/no-cond-assign|noAssignInExpressions|conditional expression and instead saw an assignment/i, comparison],
  [/prefer-const|useConst|is never reassigned/i, declaredAs('const')],
  [/no-var\b|noVar|Unexpected var/i, declaredAs('const', 'let')],
  [/no-const-assign|is constant/i, declaredAs('let')],
  [/no-unused-vars|noUnused|never used|never read|is unused/i, unusedDeclaration],
  [/no-undef|is not defined|noUndeclaredVariables/i, knownName],
  [/valid-typeof|useValidTypeof|Invalid typeof/i, typeofResult],
  [/no-extra-semi|no-empty-statement|noEmptyStatement|Unnecessary semicolon/i, emptyStatement],
  [/no-fallthrough|noFallthroughSwitchClause|Expected a 'break'/i, breakBefore],
];

const SHOWN = 60;

/**
 * The edits that the rule of a finding asks for, at its place, most natural first: a strict comparison, another kind of
 * declaration, the removal of an unused declaration without effect, the name that was meant. Empty for rules that are
 * not in the table and for files that do not parse.
 */
export function proposeLintEdits(text: string, finding: LintFinding): LintEdit[] {
  const proposals = RULES.filter(([rule]) => rule.test(finding.text)).map(([, propose]) => propose);
  if (proposals.length === 0 || finding.line === undefined) return [];
  const source = parseSource(finding.file, text);
  if ('problem' in source) return [];
  const place = {
    source,
    sites: sitesOf(source.tree.program),
    finding,
    offset: offsetOf(text, finding),
  };
  return proposals
    .flatMap((propose) => propose(place))
    .map((edit) => ({ text: applyEdits(text, [edit]), description: describe(text, edit) }));
}

function offsetOf(text: string, { line = 1, column = 1 }: LintFinding): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((sum, content) => sum + content.length + 1, 0) + column - 1;
}

function describe(text: string, { start, end, replacement }: TextEdit): string {
  const shown = (part: string): string => part.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN) || '(nothing)';
  return `${shown(text.slice(start, end))} → ${shown(replacement)}`;
}

/** Sites on the finding's line whose node passes, the nearest to the finding's column first. */
function nearestSites({ sites, finding, offset }: Place, test: (node: Node) => boolean): Site[] {
  const distance = ({ node }: Site): number => Math.abs(startOf(node) - offset);
  return sites
    .filter(({ node }) => test(node) && node.loc!.start.line <= finding.line!)
    .filter(({ node }) => finding.line! <= node.loc!.end.line)
    .sort((a, b) => distance(a) - distance(b));
}

function operatorEdit(source: ParsedSource, node: Node, to: (operator: string) => string): TextEdit[] {
  if (node.type !== 'BinaryExpression' && node.type !== 'AssignmentExpression') return [];
  const start = source.text.indexOf(node.operator, endOf(node.left));
  return [{ start, end: start + node.operator.length, replacement: to(node.operator) }];
}

function strictEquality(place: Place): TextEdit[] {
  const loose = nearestSites(
    place,
    (node) => node.type === 'BinaryExpression' && (node.operator === '==' || node.operator === '!='),
  );
  return loose
    .flatMap(({ node }) => operatorEdit(place.source, node, (operator) => `${operator}=`))
    .sort((a, b) => Math.abs(a.start - place.offset) - Math.abs(b.start - place.offset));
}

function comparison(place: Place): TextEdit[] {
  const assignments = nearestSites(
    place,
    (node) => node.type === 'AssignmentExpression' && node.operator === '=',
  );
  return assignments.slice(0, 1).flatMap(({ node }) => operatorEdit(place.source, node, () => '==='));
}

function declaredAs(...kinds: readonly string[]): Proposal {
  return (place) => {
    const quoted = /['"`“‘]([\w$]+)['"`”’]/.exec(place.finding.text)?.[1];
    const declarations = place.sites.filter(
      ({ node }) =>
        node.type === 'VariableDeclaration' &&
        (node.loc!.start.line === place.finding.line ||
          node.declarations.some(({ id }) => id.type === 'Identifier' && id.name === quoted)),
    );
    return declarations.flatMap(({ node }) => {
      if (node.type !== 'VariableDeclaration') return [];
      const start = startOf(node);
      return kinds
        .filter((kind) => kind !== node.kind)
        .map((replacement) => ({ start, end: start + node.kind.length, replacement }));
    });
  };
}

/** Removes a declaration that is alone in its statement and whose value has no effect. */
function unusedDeclaration(place: Place): TextEdit[] {
  const found = nearestSites(
    place,
    (node) =>
      node.type === 'VariableDeclaration' &&
      node.declarations.length === 1 &&
      hasNoEffect(node.declarations[0]!.init),
  );
  return found.slice(0, 1).map(({ node }) => withoutLine(place.source.text, startOf(node), endOf(node)));
}

function hasNoEffect(node: Node | null | undefined): boolean {
  if (node === null || node === undefined) return true;
  return (
    /Literal$|^Identifier$|^(Arrow)?FunctionExpression$/.test(node.type) && node.type !== 'TemplateLiteral'
  );
}

/** A whole line is removed with its line break. */
function withoutLine(text: string, start: number, end: number): TextEdit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const isAlone = text.slice(from, start).trim() === '' && next >= 0 && text.slice(end, next).trim() === '';
  if (isAlone) return { start: from, end: next + 1, replacement: '' };
  const gap = /^[ \t]*/.exec(text.slice(end))![0].length;
  return { start, end: end + gap, replacement: '' };
}

/** The visible name that is nearest to the one that is not defined. */
function knownName(place: Place): TextEdit[] {
  const found = nearestSites(place, ({ type }) => type === 'Identifier').filter(
    ({ node }) => node.type === 'Identifier' && place.finding.text.includes(node.name),
  );
  const bindings = bindingsOf(place.sites);
  return found.slice(0, 1).flatMap((site) => {
    if (site.node.type !== 'Identifier') return [];
    const { name } = site.node;
    const known = visibleAt(site, bindings).map((binding) => binding.name);
    const meant = nearestWord(
      name,
      known.filter((other) => other !== name),
    );
    return meant === undefined
      ? []
      : [{ start: startOf(site.node), end: endOf(site.node), replacement: meant }];
  });
}

const TYPEOF_RESULTS = [
  'undefined',
  'object',
  'boolean',
  'number',
  'string',
  'function',
  'symbol',
  'bigint',
] as const;

function typeofResult({ source, ...place }: Place): TextEdit[] {
  const strings = nearestSites({ source, ...place }, ({ type }) => type === 'StringLiteral');
  return strings.slice(0, 1).flatMap(({ node }) => {
    if (node.type !== 'StringLiteral') return [];
    const meant = nearestWord(node.value, TYPEOF_RESULTS);
    const quote = source.text[startOf(node)]!;
    if (meant === undefined || meant === node.value) return [];
    return [{ start: startOf(node), end: endOf(node), replacement: quote + meant + quote }];
  });
}

function emptyStatement(place: Place): TextEdit[] {
  const found = nearestSites(place, ({ type }) => type === 'EmptyStatement');
  return found.slice(0, 1).map(({ node }) => withoutLine(place.source.text, startOf(node), endOf(node)));
}

/** A `break` at the end of the case above the one that the finding names. */
function breakBefore(place: Place): TextEdit[] {
  const cases = place.sites.filter(
    ({ node, index }) =>
      node.type === 'SwitchCase' && index > 0 && node.loc!.start.line === place.finding.line,
  );
  return cases.slice(0, 1).flatMap(({ parent, index }) => {
    if (parent?.node.type !== 'SwitchStatement') return [];
    const above = parent.node.cases[index - 1]!.consequent.at(-1);
    const site = place.sites.find(({ node }) => node === above);
    const last = site && statementOf(site)?.node;
    if (last === undefined) return [];
    const indent = ' '.repeat(last.loc!.start.column);
    return [{ start: endOf(last), end: endOf(last), replacement: `\n${indent}break;` }];
  });
}
