import type { Binding } from '../../syntax/bindings.ts';
import type { Site } from '../../syntax/walk.ts';
import { kindOfBinding } from '../binding-kinds.ts';
import type { SourceView } from '../operator.ts';
import type { Condition } from './value-conditions.ts';

const MAX_TWINS = 2;

/** `a[0] !== b[0]` for local names with initial values of one form, such as `a = split(from)` and `b = split(to)`. */
export function* twinConditions(site: Site, source: SourceView): Generator<Condition> {
  for (const [a, b] of twinsAt(site, source).slice(0, MAX_TWINS)) {
    const isList = kindOfBinding(a, source) === 'array';
    if (isList) {
      yield [`${a.name}[0] !== ${b.name}[0]`, 0.9];
      yield [`${a.name}.length !== ${b.name}.length`, 0.7];
      continue;
    }
    yield [`${a.name} !== ${b.name}`, 0.9];
    yield [`${a.name} === ${b.name}`, 0.8];
  }
}

function twinsAt(site: Site, source: SourceView): (readonly [Binding, Binding])[] {
  const local = source
    .visibleAt(site)
    .filter(({ owner, init }) => owner >= 0 && init !== undefined)
    .sort((a, b) => a.from - b.from);
  const forms = local.map((binding) => ({ binding, form: formOf(binding, source) }));
  return forms.flatMap(({ binding, form }, index) =>
    forms
      .slice(index + 1)
      .filter((other) => other.form === form && form.includes('('))
      .map((other) => [binding, other.binding] as const),
  );
}

/** The initial value without the names of the innermost scopes: two calls of the same functions have one form. */
function formOf({ init }: Binding, source: SourceView): string {
  const called = new Set<number>();
  for (const { node, key } of source.within(init!))
    if (node.type === 'Identifier' && (key === 'callee' || key === 'property')) called.add(node.start!);
  let form = source.textOf(init!);
  const names = source
    .within(init!)
    .filter(({ node }) => node.type === 'Identifier' && !called.has(node.start!));
  for (const { node } of names.toReversed())
    form = form.slice(0, node.start! - init!.start!) + '_' + form.slice(node.end! - init!.start!);
  return form;
}
