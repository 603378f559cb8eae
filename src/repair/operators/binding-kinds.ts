import type { Binding } from '../syntax/bindings.ts';
import type { Kind } from '../syntax/kinds.ts';
import type { SourceView } from './operator.ts';

/** Whether the binding holds a function or a class. */
export function isCallable(binding: Binding, source: SourceView): boolean {
  return /function|class/.test(binding.kind) || kindOfBinding(binding, source) === 'function';
}

/** Kind of the binding's value, guessed from its initial value, otherwise from how its name is used. */
export function kindOfBinding(binding: Binding, source: SourceView): Kind {
  if (binding.init !== undefined) {
    const kind = source.kindOf(binding.init);
    if (kind !== 'unknown') return kind;
  }
  return source.kindOf({ type: 'Identifier', name: binding.name } as Parameters<SourceView['kindOf']>[0]);
}

/** Whether the binding's name occurs only in its declaration. */
export function isUnused(binding: Binding): boolean {
  return binding.uses <= 0;
}
