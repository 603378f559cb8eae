import type { Binding } from '../../syntax/bindings.ts';
import { isFunction, functionOf, type Site } from '../../syntax/walk.ts';
import { isCallable, kindOfBinding } from '../binding-kinds.ts';
import type { SourceView } from '../operator.ts';
import type { Place } from './places.ts';

const MOST = 7;
const MOST_MEMBERS = 5;
const MOST_CALLS = 10;
const MOST_CALLEES = 4;
const MAX_CHARS = 30;

/** Variables and parameters of the functions around the place that may hold values, innermost first. */
export function valuesAt({ site }: Place, source: SourceView, most = MOST): readonly Binding[] {
  return source
    .visibleAt(site)
    .filter(
      ({ kind, owner, init }) => owner >= 0 && !/function|class/.test(kind) && !(init && isFunction(init)),
    )
    .slice(0, most);
}

/** Variables and parameters around the place that may be assigned. */
export function assignableAt(place: Place, source: SourceView): readonly Binding[] {
  return valuesAt(place, source).filter(({ kind }) => kind !== 'const');
}

/** An expression that a statement may use. */
export interface Value {
  readonly text: string;
  /** Whether it may be a key of an object. */
  readonly isKey: boolean;
  readonly factor: number;
}

/** Names, short expressions of the function, and calls of the file's functions with names, in this order. */
export function expressionsAt(place: Place, source: SourceView): Value[] {
  const values = valuesAt(place, source);
  const names = values.map((binding): Value => {
    const kind = kindOfBinding(binding, source);
    return { text: binding.name, isKey: /string|number|unknown/.test(kind), factor: 1 };
  });
  const others = [
    ...membersAt(place, source).map((text) => ({ text, isKey: false, factor: 0.5 })),
    ...callsAt(place, source).map((text) => ({ text, isKey: false, factor: 0.5 })),
  ];
  return [...names, ...others];
}

function membersAt(place: Place, source: SourceView): string[] {
  const visible = new Set(source.visibleAt(place.site).map(({ name }) => name));
  const found = new Set<string>();
  for (const { node, key, parent } of source.withinFunction(place.site)) {
    if (found.size === MOST_MEMBERS) break;
    if (
      node.type !== 'MemberExpression' ||
      key === 'callee' ||
      (key === 'left' && parent?.node.type === 'AssignmentExpression')
    )
      continue;
    const text = source.textOf(node);
    const isUsable = source
      .within(node)
      .every(
        ({ node: part, key: place }) =>
          part.type !== 'Identifier' || place === 'property' || visible.has(part.name),
      );
    if (text.length <= MAX_CHARS && isUsable && !/[{=]/.test(text)) found.add(text);
  }
  return [...found];
}

/** Calls of functions that the file declares, that around the place first, with the innermost names. */
export function callsAt(place: Place, source: SourceView): string[] {
  const names = valuesAt(place, source).map(({ name }) => name);
  const visible = source.visibleAt(place.site);
  const owners = new Set<number | null | undefined>();
  for (let at: Site | undefined = functionOf(place.site); at; at = at.parent && functionOf(at.parent))
    owners.add(at.node.start);
  const callees = visible
    .filter(
      (binding) => isCallable(binding, source) && binding.init !== undefined && isFunction(binding.init),
    )
    .sort((a, b) => Number(owners.has(b.init?.start)) - Number(owners.has(a.init?.start)))
    .slice(0, MOST_CALLEES);
  return callees
    .flatMap(({ name, init }) =>
      argumentLists((init as unknown as { params: unknown[] }).params.length, names).map(
        (list) => `${name}(${list.join(', ')})`,
      ),
    )
    .slice(0, MOST_CALLS);
}

/** Lists of names for a number of arguments, the most likely first. */
export function argumentLists(arity: number, names: readonly string[]): string[][] {
  if (arity === 0) return [[]];
  if (arity === 1) return names.slice(0, 5).map((name) => [name]);
  const few = names.slice(0, 4);
  const pairs = few.flatMap((first) =>
    few.filter((other) => other !== first).map((second) => [first, second]),
  );
  if (arity === 2) return [...pairs, ...few.map((name) => [name])];
  const inOrder = names.toReversed().slice(0, arity);
  return inOrder.length === arity ? [inOrder] : [];
}

/** Number of words that two names share: 1 for `errorHandler` and `handler`. */
export function sharedWords(a: string, b: string): number {
  const words = (name: string): string[] =>
    name.toLowerCase() === name
      ? name.split(/[_$]+/)
      : name.split(/[_$]+|(?=[A-Z])/).map((word) => word.toLowerCase());
  const own = new Set(words(a).filter((word) => word.length > 2));
  return words(b).filter((word) => own.has(word)).length;
}
