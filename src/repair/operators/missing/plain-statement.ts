import type { Node } from '@babel/types';
import type { Binding } from '../../syntax/bindings.ts';
import { kindOfBinding } from '../binding-kinds.ts';
import type { Operator, SourceView } from '../operator.ts';
import { callsAt, valuesAt } from './names-near.ts';
import { insertion, placeAt, type Place } from './places.ts';

const MOST_PROPERTIES = 3;

/** Inserts a statement of a common form with names of the function: `total += n;`, `node = node.next;`, `error.path = path;`. */
export const plainStatement: Operator = {
  name: 'plain-statement',
  prior: 0.06,
  *propose(site, source) {
    const place = placeAt(site, source);
    if (place === undefined) return;
    const values = valuesAt(place, source);
    for (const target of values) {
      for (const [statement, factor] of statementsAbout(target, values, source)) {
        yield insertion(place, statement, factor);
      }
    }
    for (const call of callsAt(place, source)) yield insertion(place, `${call};`, 0.8);
    for (const [statement, factor] of calledInTest(place, source)) yield insertion(place, statement, factor);
  },
};

type Statement = readonly [text: string, factor: number];

function* statementsAbout(
  target: Binding,
  values: readonly Binding[],
  source: SourceView,
): Generator<Statement> {
  const { name } = target;
  const kind = kindOfBinding(target, source);
  const others = values.filter((other) => other !== target);
  const canAssign = target.kind !== 'const';
  if (kind === 'function') {
    yield [`${name}();`, 0.9];
    for (const other of others.slice(0, 4)) yield [`${name}(${other.name});`, 0.9];
    return;
  }
  if (canAssign) {
    if (kind === 'number') yield* [`${name}++;`, `${name}--;`].map((text): Statement => [text, 0.8]);
    for (const other of others) {
      const isAlike = kind === 'unknown' || kindOfBinding(other, source) === kind;
      if (kind === 'number' || kind === 'string') yield [`${name} += ${other.name};`, isAlike ? 0.8 : 0.4];
      yield [`${name} = ${other.name};`, isAlike ? 0.7 : 0.3];
    }
    for (const property of source.propertiesOf(name).slice(0, MOST_PROPERTIES))
      yield [`${name} = ${name}.${property};`, 0.6];
  }
  if (kind === 'array') {
    for (const other of others) yield [`${name}.push(${other.name});`, 0.8];
    yield* [`${name}.pop();`, `${name}.shift();`].map((text): Statement => [text, 0.5]);
  }
  if (kind !== 'object' && kind !== 'unknown') return;
  const properties = source.propertiesOf(name);
  if (properties.length > 0) {
    for (const other of others)
      yield [`${name}.${other.name} = ${other.name};`, properties.includes(other.name) ? 1 : 0.5];
    for (const property of properties.slice(0, MOST_PROPERTIES)) yield [`${name}.${property} = true;`, 0.5];
  }
  if (!source.isIndexed(name)) return;
  const isUsedAsKey = (other: Binding): number => Number(source.text.includes(`[${other.name}]`));
  const keys = others
    .filter((other) => isUsedAsKey(other) === 1 || /string|number|unknown/.test(kindOfBinding(other, source)))
    .sort((a, b) => isUsedAsKey(b) - isUsedAsKey(a));
  for (const key of keys.slice(0, 3)) {
    for (const value of others) if (value !== key) yield [`${name}[${key.name}] = ${value.name};`, 0.5];
  }
}

/** In a block without statements, calls what its condition asks for: `if (options.onEnd) { }`. */
function* calledInTest(place: Place, source: SourceView): Generator<Statement> {
  const branch = place.site.parent?.node;
  if (!place.isEmpty || branch?.type !== 'IfStatement') return;
  const callee = calleeIn(branch.test);
  if (callee === undefined) return;
  const text = source.textOf(callee);
  yield [`${text}();`, 1];
  for (const { name } of valuesAt(place, source)) yield [`${text}(${name});`, 1];
}

function calleeIn(test: Node): Node | undefined {
  if (test.type === 'Identifier' || test.type === 'MemberExpression') return test;
  if (test.type === 'LogicalExpression') return calleeIn(test.right);
  if (test.type !== 'BinaryExpression' || test.left.type !== 'UnaryExpression') return undefined;
  return test.left.operator === 'typeof' ? calleeIn(test.left.argument) : undefined;
}
