import type { Node } from '@babel/types';
import type { Binding } from '../../syntax/bindings.ts';
import type { Kind } from '../../syntax/kinds.ts';
import type { Site } from '../../syntax/walk.ts';
import { isCallable, kindOfBinding } from '../binding-kinds.ts';
import type { SourceView } from '../operator.ts';

const MAX_NAMES = 5;
const MAX_MEMBERS = 3;

/** A value that a condition can test. */
export interface Subject {
  /** A name, or members of one such as `options.strict`. */
  readonly text: string;
  readonly kind: Kind;
  /** How likely the missing condition is about it, 0..1. */
  readonly factor: number;
}

/** Local names visible at the site, those used in `near` first, then inner ones; and members that `near` reads. */
export function subjectsAt(site: Site, near: Node, source: SourceView): readonly Subject[] {
  const used = new Set<string>();
  const members: Subject[] = [];
  for (const { node, key } of source.within(near)) {
    if (node.type === 'Identifier') used.add(node.name);
    const isMember = /^(Optional)?MemberExpression$/.test(node.type) && key !== 'callee';
    const text = isMember ? source.textOf(node) : '';
    if (isMember && /^[\w$.?]+$/.test(text) && !text.startsWith('this.') && text.length <= 30)
      members.push({ text, kind: source.kindOf(node), factor: 0.7 });
  }
  const names = source
    .visibleAt(site)
    .filter((binding) => binding.owner >= 0 && !isCallable(binding, source))
    .map((binding, index) => subjectOf(binding, { index, used, source }))
    .sort((a, b) => b.factor - a.factor);
  return [...names.slice(0, MAX_NAMES), ...members.slice(0, MAX_MEMBERS)];
}

function subjectOf(
  binding: Binding,
  { index, used, source }: { index: number; used: ReadonlySet<string>; source: SourceView },
): Subject {
  const factor = used.has(binding.name) ? 1 : Math.max(0.3, 0.7 - 0.05 * index);
  return { text: binding.name, kind: kindOfBinding(binding, source), factor };
}
