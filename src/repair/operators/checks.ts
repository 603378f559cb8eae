import type { Node } from '@babel/types';
import type { Binding } from '../syntax/bindings.ts';
import type { Kind } from '../syntax/kinds.ts';
import type { Site } from '../syntax/walk.ts';
import type { SourceView } from './operator.ts';
import { isCallable, kindOfBinding } from './variables.ts';

/** A condition as source text, how natural it is, 0..1, and whether it binds tighter than `&&` does. */
export type Check = readonly [text: string, factor: number];

const SUBJECT_LIMIT = 5;
const CHECK_LIMIT = 56;

/**
 * Conditions that code at the site could ask, most natural first, each once: of the names that `near` uses, then
 * of the names around; by truth, type, emptiness, the strings of the failing tests, and the predicates, patterns
 * and options that the file has. None of them needs parentheses beside `&&` or `||`.
 */
export function checksAt(site: Site, near: Node, source: SourceView): readonly Check[] {
  const subjects = subjectsAt(site, near, source);
  const found = new Map<string, number>();
  const add = (text: string, factor: number): void => {
    if ((found.get(text) ?? 0) < factor) found.set(text, factor);
  };
  for (const { text, kind, factor } of subjects) {
    for (const [check, worth] of checksOf(text, kind, source)) add(check, factor * worth);
  }
  for (const [check, worth] of namedChecks(site, subjects, source)) add(check, worth);
  for (const [check, worth] of boundaryChecks(near, site, source)) add(check, worth);
  return [...found].sort((a, b) => b[1] - a[1]).slice(0, CHECK_LIMIT);
}

/** A value that a condition can be about. */
export interface Subject {
  readonly text: string;
  readonly kind: Kind;
  /** How likely it is the one that matters, 0..1. */
  readonly factor: number;
}

/** Names and properties that the site can ask about: those in `near` first, then the innermost ones. */
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
  return [...names.slice(0, SUBJECT_LIMIT), ...members.slice(0, 3)];
}

function subjectOf(
  binding: Binding,
  { index, used, source }: { index: number; used: ReadonlySet<string>; source: SourceView },
): Subject {
  const factor = used.has(binding.name) ? 1 : Math.max(0.3, 0.7 - 0.05 * index);
  return { text: binding.name, kind: kindOfBinding(binding, source), factor };
}

function checksOf(text: string, kind: Kind, source: SourceView): Check[] {
  const optional: Check[] = [
    [text, 1],
    [`!${text}`, 0.8],
  ];
  switch (kind) {
    case 'number':
      return [
        [`${text} > 0`, 0.9],
        [`${text} === 0`, 0.8],
        [`${text} !== 0`, 0.7],
        [`${text} >= 0`, 0.7],
        [`${text} !== -1`, 0.6],
        [`Number.isNaN(${text})`, 0.5],
        [`Number.isFinite(${text})`, 0.5],
      ];
    case 'boolean':
      return optional;
    case 'string':
      return [
        ...optional,
        ...textChecks(text, source),
        ...characterChecks(text, source.literals.tested),
        ...lengthChecks(text),
      ];
    case 'array':
      return lengthChecks(text);
    case 'function':
      return [[`typeof ${text} === 'function'`, 0.5]];
    case 'object':
      return [...optional, [`typeof ${text} === 'object'`, 0.4], [`!Array.isArray(${text})`, 0.4]];
    default:
      return [
        ...optional,
        ...typeChecks(text),
        ...textChecks(text, source),
        ...characterChecks(text, source.literals.tested),
        ...lengthChecks(text),
      ];
  }
}

function typeChecks(text: string): Check[] {
  return [
    [`${text} !== null`, 0.6],
    [`${text} !== undefined`, 0.6],
    [`${text} === undefined`, 0.5],
    [`${text} === null`, 0.5],
    [`typeof ${text} === 'string'`, 0.6],
    [`typeof ${text} !== 'string'`, 0.5],
    [`typeof ${text} === 'object'`, 0.5],
    [`typeof ${text} !== 'object'`, 0.4],
    [`typeof ${text} === 'number'`, 0.4],
    [`typeof ${text} === 'function'`, 0.4],
    [`typeof ${text} !== 'function'`, 0.4],
    [`Array.isArray(${text})`, 0.5],
    [`!Array.isArray(${text})`, 0.5],
    [`Number.isNaN(${text})`, 0.3],
  ];
}

/** By sort of character, where the text is that of characters at all. */
function characterChecks(text: string, tested: readonly string[]): Check[] {
  const checks: readonly (readonly [pattern: RegExp, checks: readonly Check[]])[] = [
    [
      /\d/,
      [
        [`/\\d/.test(${text})`, 0.4],
        [`!/\\d/.test(${text})`, 0.35],
      ],
    ],
    [/\s/, [[`/\\s/.test(${text})`, 0.3]]],
    [/[^A-Za-z0-9\s]/, [[`${text}.toLowerCase() !== ${text}.toUpperCase()`, 0.4]]],
    [/[A-Z]/, [[`${text} === ${text}.toLowerCase()`, 0.25]]],
  ];
  const all = tested.join('');
  return checks.flatMap(([pattern, some]) => (pattern.test(all) ? some : []));
}

function textChecks(text: string, { literals }: SourceView): Check[] {
  return literals.marks.slice(0, 4).flatMap((mark): Check[] => [
    [`${text}.includes(${mark})`, 0.4],
    [`!${text}.includes(${mark})`, 0.45],
    [`${text}.startsWith(${mark})`, 0.4],
    [`!${text}.startsWith(${mark})`, 0.4],
    [`${text}.endsWith(${mark})`, 0.35],
    [`${text} === ${mark}`, 0.4],
    [`${text} !== ${mark}`, 0.4],
  ]);
}

function lengthChecks(text: string): Check[] {
  return [
    [`${text}.length > 0`, 0.5],
    [`${text}.length === 0`, 0.45],
    [`${text}.length > 1`, 0.4],
    [`${text}.length === 1`, 0.35],
  ];
}

/** Where a text starts with another, what comes right after it; and lists of the file that may hold a value. */
function* boundaryChecks(near: Node, site: Site, source: SourceView): Generator<Check> {
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

/** By functions that sound like questions, by the file's patterns, and by options that it reads. */
function* namedChecks(site: Site, subjects: readonly Subject[], source: SourceView): Generator<Check> {
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
  for (const { name } of known.filter((binding) =>
    /^_?(opt|options?|opts|config|settings)$/.test(binding.name),
  )) {
    for (const property of source.propertiesOf(name).slice(0, 6)) {
      yield [`${name}.${property}`, 0.5];
      yield [`!${name}.${property}`, 0.5];
    }
  }
}
