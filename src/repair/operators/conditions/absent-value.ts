import type { MemberExpression, Node } from '@babel/types';
import type { Crash } from '../../syntax/crashes.ts';
import { ABSENT_VALUE } from '../../syntax/edit.ts';
import { isRepeatable } from '../../syntax/reads.ts';
import { atLeast, Precedence, precedenceOf } from '../../syntax/precedence.ts';
import { functionOf, inLoop, inStatementList, type Site, statementOf } from '../../syntax/walk.ts';
import type { Operator, Proposal, SourceView } from '../operator.ts';
import { insertAt, replaceSite } from '../proposals.ts';
import { otherResults } from '../statements/early-exit.ts';
import { isCondition } from './logical.ts';

/** Members by which a value that is missing was meant to be a list or a text. */
const OF_LISTS =
  /^(map|filter|forEach|reduce|some|every|find|findIndex|flatMap|flat|join|push|pop|shift|sort|reverse|length|concat|slice)$/;
const OF_TEXTS =
  /^(trim|split|replace|replaceAll|toLowerCase|toUpperCase|startsWith|endsWith|charAt|charCodeAt|match|padStart|padEnd)$/;

const MAX_SUBJECT_CHARS = 60;
const MAX_RESULTS = 4;

/**
 * Handles a value that is `undefined` or `null` where a failing test met one: `x?.a`, `x && x.a`, `(x ?? []).length`,
 * `if (!x) return null;` before the statement, `if (x) statement`, or a default for the parameter.
 */
export const absentValue: Operator = {
  name: ABSENT_VALUE,
  prior: 0.95,
  *propose(site, source) {
    if (source.crashes.length === 0) return;
    for (const crash of source.crashes) yield* proposalsFor(site, crash, source);
  },
};

function* proposalsFor(site: Site, { line, use }: Crash, source: SourceView): Generator<Proposal> {
  const { node, key, parent } = site;
  switch (use.kind) {
    case 'read':
      if (node.type === 'MemberExpression' && isReadOf(node, use.property, line))
        yield* weighed(
          site as Site<MemberExpression>,
          withoutRead(site as Site<MemberExpression>, use.property, source),
        );
      return;
    case 'iterate': {
      const isSource =
        (key === 'right' && parent?.node.type === 'ForOfStatement') ||
        (key === 'argument' && parent?.node.type === 'SpreadElement') ||
        (key === 'init' &&
          parent?.node.type === 'VariableDeclarator' &&
          parent.node.id.type === 'ArrayPattern');
      if (isSource && node.loc!.start.line === line) yield* withoutValue(site, '[]', source);
      return;
    }
    case 'list-keys':
      if (
        key === 'arguments' &&
        site.index === 0 &&
        node.loc!.start.line === line &&
        isOfObject(parent?.node)
      )
        yield* withoutValue(site, '{}', source);
      return;
    case 'destructure': {
      if (node.type !== 'ObjectPattern' || node.loc!.start.line > line || node.loc!.end.line < line) return;
      if (key === 'params') yield insertAt(node.end!, ' = {}', 1);
      return;
    }
  }
}

/** An element that is missing more often means a wrong index than a case that nobody handled. */
const ELEMENT_FACTOR = 0.5;

function* weighed({ node }: Site<MemberExpression>, proposals: Iterable<Proposal>): Generator<Proposal> {
  const factor = isElement(node.object) ? ELEMENT_FACTOR : 1;
  for (const proposal of proposals) yield { ...proposal, factor: proposal.factor * factor };
}

/** `list[i]`. */
function isElement(node: Node): boolean {
  return node.type === 'MemberExpression' && node.computed && node.property.type !== 'StringLiteral';
}

/** `x.a` on the line, where `a` is the property. */
function isReadOf(
  { object, property, computed, loc }: MemberExpression,
  name: string,
  line: number,
): boolean {
  if (object.type === 'Super' || object.type === 'ThisExpression') return false;
  const own = property.loc ?? loc!;
  if (own.start.line !== line) return false;
  if (!computed) return property.type === 'Identifier' && property.name === name;
  // An index is known when the code runs.
  return property.type === 'StringLiteral' ? property.value === name : property.type !== 'PrivateName';
}

function* withoutRead(
  site: Site<MemberExpression>,
  property: string,
  source: SourceView,
): Generator<Proposal> {
  const { node, key, parent } = site;
  const subject = source.textOf(node.object);
  if (subject.length > MAX_SUBJECT_CHARS) return;
  const isTarget =
    (key === 'left' && parent?.node.type === 'AssignmentExpression') ||
    key === 'tag' ||
    parent?.node.type === 'UpdateExpression';
  const isMade = key === 'callee' && parent?.node.type === 'NewExpression';
  if (!isTarget && !isMade)
    yield insertAt(node.object.end!, node.computed ? '?.' : '?', isOldStyle(source.text) ? 0.8 : 1);
  const usual = OF_LISTS.test(property) ? '[]' : OF_TEXTS.test(property) ? "''" : '{}';
  if (isRepeatable(node.object)) {
    const reader = key === 'callee' && parent?.node.type === 'CallExpression' ? parent : site;
    if (!isTarget && !isMade)
      yield replaceSite(
        reader,
        `${subject} && ${source.textOf(reader.node)}`,
        Precedence.and,
        isCondition(reader) ? 0.95 : 0.6,
      );
    yield* aroundStatement(site, subject, source);
  }
  const parameter = parameterOf(site, node.object);
  if (parameter !== undefined) yield insertAt(parameter.end!, ` = ${usual}`, 0.7);
  const value = atLeast(subject, precedenceOf(node.object), Precedence.or + 1);
  if (!isTarget)
    yield replaceSite(
      { ...site, node: node.object, key: 'object', parent: site } as Site,
      `${value} ?? ${usual}`,
      Precedence.or,
      0.6,
    );
}

function* withoutValue(site: Site, usual: string, source: SourceView): Generator<Proposal> {
  const subject = source.textOf(site.node);
  if (subject.length > MAX_SUBJECT_CHARS) return;
  const value = atLeast(subject, precedenceOf(site.node), Precedence.or + 1);
  yield replaceSite(site, `${value} ?? ${usual}`, Precedence.or, 0.9);
  const parameter = parameterOf(site, site.node);
  if (parameter !== undefined) yield insertAt(parameter.end!, ` = ${usual}`, 0.8);
  if (isRepeatable(site.node)) yield* aroundStatement(site, subject, source);
}

/** Ends the function or the turn of the loop before the statement, or leaves the statement out. */
function* aroundStatement(site: Site, subject: string, source: SourceView): Generator<Proposal> {
  const statement = statementOf(site);
  if (statement === undefined || !inStatementList(statement)) return;
  const { node } = statement;
  if (node.type === 'ExpressionStatement') yield insertAt(node.start!, `if (${subject}) `, 0.7);
  if (node.type === 'VariableDeclaration' && node.kind !== 'var' && declares(node, subject)) return;
  if (inLoop(statement)) yield insertAt(node.start!, `if (!${subject}) continue;\n`, 0.6);
  if (functionOf(statement) === undefined) return;
  const results = [...new Set([...source.literals.expected, ...otherResults(statement, source)])];
  for (const result of results.slice(0, MAX_RESULTS))
    yield insertAt(node.start!, `if (!${subject}) return ${result};\n`, 0.8);
  yield insertAt(node.start!, `if (!${subject}) return;\n`, 0.6);
}

/** The parameter of the function around the site that the expression names. */
function parameterOf(site: Site, subject: Node): Node | undefined {
  if (subject.type !== 'Identifier') return undefined;
  const { params = [] } = (functionOf(site)?.node ?? {}) as { readonly params?: readonly Node[] };
  return params.find(
    (param) => param.type === 'Identifier' && param.name === subject.name && !param.optional,
  );
}

function declares(
  { declarations }: { readonly declarations: readonly { readonly id: Node }[] },
  text: string,
): boolean {
  const [name] = text.split(/[^\w$]/);
  return declarations.some(({ id }) => id.type !== 'Identifier' || id.name === name);
}

/** Code that was written before optional chaining. */
function isOldStyle(text: string): boolean {
  return /^\s*var\s/m.test(text) && !text.includes('?.');
}

/** A call of a function such as `Object.keys`. */
function isOfObject(node: Node | undefined): boolean {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { object, property } = node.callee;
  const isOne =
    property.type === 'Identifier' && /^(keys|values|entries|getOwnPropertyNames)$/.test(property.name);
  return isOne && object.type === 'Identifier' && (object.name === 'Object' || object.name === 'Reflect');
}
