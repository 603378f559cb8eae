import type { Node } from '@babel/types';
import type { Site } from '../../syntax/walk.ts';
import type { SourceView } from '../operator.ts';
import { type Subject, subjectsAt } from './subjects.ts';
import { OPTIONS, unreadOptions } from './unread-options.ts';
import { type Condition, conditionsAbout } from './value-conditions.ts';

const MAX_CONDITIONS = 56;

/**
 * Conditions that could be added at the site, most natural first, without duplicates: about names that `near` uses,
 * then about other visible names. They test truth, type, emptiness and the failing tests' strings, and use the file's
 * predicates, patterns and options.
 */
export function conditionsAt(site: Site, near: Node, source: SourceView): readonly Condition[] {
  const subjects = subjectsAt(site, near, source);
  const found = new Map<string, number>();
  const add = (text: string, factor: number): void => {
    if ((found.get(text) ?? 0) < factor) found.set(text, factor);
  };
  for (const { text, kind, factor } of subjects) {
    for (const [condition, worth] of conditionsAbout(text, kind, source)) add(condition, factor * worth);
  }
  for (const [condition, worth] of namedConditions(site, subjects, source)) add(condition, worth);
  for (const [condition, worth] of unreadOptions(site, subjects, source)) add(condition, worth);
  for (const [condition, worth] of boundaryConditions(near, site, source)) add(condition, worth);
  return [...found].sort((a, b) => b[1] - a[1]).slice(0, MAX_CONDITIONS);
}

/** For `text.startsWith(part)` in `near`: conditions about the character after that part. */
function* boundaryConditions(near: Node, site: Site, source: SourceView): Generator<Condition> {
  const lists = source.visibleAt(site).filter(({ init }) => init?.type === 'ArrayExpression');
  for (const { node } of source.within(near)) {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') continue;
    const { object, property } = node.callee;
    const [part] = node.arguments;
    if (property.type !== 'Identifier' || property.name !== 'startsWith' || part === undefined) continue;
    const next = `${source.textOf(object)}[${source.textOf(part)}.length]`;
    for (const { name } of lists.slice(0, 3)) yield [`${name}.includes(${next})`, 0.6];
    for (const mark of source.literals.marks.slice(0, 3)) yield [`${next} === ${mark}`, 0.5];
    yield [`${next} === undefined`, 0.4];
  }
}

/** Calls of predicates such as `isEmpty`, tests of the file's patterns, and options that the file reads. */
function* namedConditions(
  site: Site,
  subjects: readonly Subject[],
  source: SourceView,
): Generator<Condition> {
  const known = source.visibleAt(site);
  const predicates = known.filter(({ name }) => /^_{0,2}(is|has|can)[A-Z_]/.test(name)).slice(0, 4);
  const patterns = known.filter(({ init }) => init?.type === 'RegExpLiteral').slice(0, 4);
  for (const { text, kind, factor } of subjects.slice(0, 3)) {
    for (const { name } of predicates) {
      if (text === name) continue;
      yield [`${name}(${text})`, 0.7 * factor];
      yield [`!${name}(${text})`, 0.7 * factor];
    }
    if (kind !== 'string' && kind !== 'unknown') continue;
    for (const { name } of patterns) {
      yield [`${name}.test(${text})`, 0.4 * factor];
      yield [`!${name}.test(${text})`, 0.4 * factor];
    }
  }
  for (const { name } of known.filter((binding) => OPTIONS.test(binding.name))) {
    for (const property of source.propertiesOf(name).slice(0, 6)) {
      yield [`${name}.${property}`, 0.5];
      yield [`!${name}.${property}`, 0.5];
    }
  }
}
