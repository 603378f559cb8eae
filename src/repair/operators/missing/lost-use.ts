import type { Binding } from '../../syntax/bindings.ts';
import { isFunction } from '../../syntax/walk.ts';
import { isCallable, kindOfBinding } from '../binding-kinds.ts';
import type { Operator, Proposal, SourceView } from '../operator.ts';
import { otherResults } from '../statements/early-exit.ts';
import { writesOf } from './frozen-cells.ts';
import { leftoversOf } from './leftovers.ts';
import { argumentLists, assignableAt, sharedWords, valuesAt } from './names-near.ts';
import { insertion, placeAt, type Place } from './places.ts';

const MOST_LEFTOVERS = 3;
const MOST_TARGETS = 24;
/** Callbacks often ignore a parameter. */
const PARAMETER_FACTOR = 0.5;

/** Inserts a statement that uses a name which nothing reads: `this.size = size;`, `x = trim(x);`, `list.push(item);`. */
export const lostUse: Operator = {
  name: 'lost-use',
  prior: 0.9,
  *propose(site, source) {
    const place = placeAt(site, source);
    if (place === undefined) return;
    const { bindings, methods } = leftoversOf(source);
    const visible = new Set(source.visibleAt(place.site));
    const own = bindings.filter((binding) => isVisible(binding, visible)).slice(0, MOST_LEFTOVERS);
    for (const binding of own) {
      const worth = binding.kind === 'param' ? PARAMETER_FACTOR : 1;
      for (const [statement, factor] of usesOf(binding, place, source))
        yield insertion(place, statement, factor * worth);
    }
    if (!place.hasThis) return;
    for (const { name, params } of methods.slice(0, MOST_LEFTOVERS)) {
      yield* callsOfMethod(`this.${name}`, params, place, source);
    }
  },
};

type Statement = readonly [text: string, factor: number];

/** Bindings are computed more than once, so they are compared by what they say. */
function isVisible(binding: Binding, visible: ReadonlySet<Binding>): boolean {
  return [...visible].some(
    ({ name, start, from }) => name === binding.name && start === binding.start && from === binding.from,
  );
}

function* usesOf(binding: Binding, place: Place, source: SourceView): Generator<Statement> {
  const isFunctionSurely = isCallable(binding, source);
  const mayBeFunction = isFunctionSurely || (binding.owner === -1 && !isPlain(binding));
  if (mayBeFunction) yield* calls(binding, place, source);
  if (!isFunctionSurely) yield* usesOfValue(binding, place, source);
}

/** Whether the initial value is a literal, so that the name holds no function. */
function isPlain({ init }: Binding): boolean {
  return init !== undefined && /Literal$|^(Array|Object|Template|Binary|Unary)Expression$/.test(init.type);
}

function* usesOfValue(binding: Binding, place: Place, source: SourceView): Generator<Statement> {
  const { name } = binding;
  const others = valuesAt(place, source, MOST_TARGETS)
    .filter((other) => other.name !== name)
    .sort((a, b) => sharedWords(name, b.name) - sharedWords(name, a.name))
    .slice(0, 8);
  if (place.hasThis) {
    yield [`this.${name} = ${name};`, 1];
    for (const member of writesOf(source).frozen.slice(0, 4)) {
      if (member.name !== name) yield [`this.${member.name} = ${name};`, 0.8];
    }
  }
  for (const other of others) {
    const kind = kindOfBinding(other, source);
    if (other.kind !== 'const')
      yield [`${other.name} = ${name};`, sharedWords(name, other.name) > 0 ? 1 : 0.7];
    if (kind === 'number' || kind === 'string') {
      if (other.kind !== 'const') yield [`${other.name} += ${name};`, 0.5];
      continue;
    }
    if (kind === 'array' || kind === 'unknown')
      yield [`${other.name}.push(${name});`, kind === 'array' ? 0.9 : 0.3];
    if (kind === 'array' || kind === 'boolean') continue;
    yield [`${other.name}.${name} = ${name};`, kind === 'object' ? 0.7 : 0.4];
    for (const third of others.slice(0, 4)) {
      if (third === other) continue;
      yield [`${other.name}[${third.name}] = ${name};`, 0.5];
      yield [`${other.name}[${name}] = ${third.name};`, 0.5];
    }
  }
  if (/^(cb|callback|done|next|resolve|fn|func)$/.test(name)) yield* calls(binding, place, source);
  yield [`return ${name};`, 0.6];
  for (const exit of exitsOf(place, source)) {
    yield [`if (${name}) ${exit}`, 0.5];
    yield [`if (!${name}) ${exit}`, 0.5];
  }
}

/** Calls of a function that nothing calls: alone, as a result, as a new value, and as a condition. */
function* calls(binding: Binding, place: Place, source: SourceView): Generator<Statement> {
  const { name, init } = binding;
  const isMethod = init?.type === 'MemberExpression' && /\bprototype\./.test(source.textOf(init));
  const arity = arityOf(binding);
  for (const [list, names] of argumentsFor(arity, place, source)) {
    const call = isMethod ? `${name}.call(${list})` : `${name}(${list})`;
    if (!isMethod) yield [`${call};`, 0.9];
    for (const target of assignableAt(place, source).slice(0, 5)) {
      const isOwn = names.includes(target.name);
      yield [`${target.name} = ${call};`, isOwn ? 0.9 : 0.7];
    }
    yield [`return ${call};`, 0.7];
    for (const exit of exitsOf(place, source)) {
      yield [`if (${call}) ${exit}`, 0.45];
      yield [`if (!${call}) ${exit}`, 0.45];
    }
  }
}

function* callsOfMethod(
  callee: string,
  params: number,
  place: Place,
  source: SourceView,
): Generator<Proposal> {
  for (const [list] of argumentsFor(params, place, source)) {
    yield insertion(place, `${callee}(${list});`, 1);
    yield insertion(place, `return ${callee}(${list});`, 0.6);
  }
}

/** Number of parameters; undefined if it is not known. */
function arityOf({ init }: Binding): number | undefined {
  return init !== undefined && isFunction(init) ? (init as { params: unknown[] }).params.length : undefined;
}

/** Lists of arguments, as text and as names. */
function argumentsFor(
  arity: number | undefined,
  place: Place,
  source: SourceView,
): (readonly [text: string, names: readonly string[]])[] {
  const names = valuesAt(place, source).map(({ name }) => name);
  const lists =
    arity === undefined
      ? [1, 2].flatMap((count) => argumentLists(count, names))
      : argumentLists(arity, names);
  const withNames = lists.map((list) => [list.join(', '), list] as const);
  return place.hasThis && arity !== 0 ? [...withNames, ['this', []]] : withNames;
}

function exitsOf(place: Place, source: SourceView): string[] {
  if (place.inLoop) return ['continue;', 'break;'];
  return [
    'return;',
    ...otherResults(place.site, source)
      .slice(0, 2)
      .map((result) => `return ${result};`),
  ];
}
