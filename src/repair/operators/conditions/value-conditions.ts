import type { Kind } from '../../syntax/kinds.ts';
import type { SourceView } from '../operator.ts';

/** Source text of a condition and how natural it is, 0..1, or up to 2 if the failing cases name it. It needs no parentheses next to `&&` or `||`. */
export type Condition = readonly [text: string, factor: number];

/** Conditions about one value of the given kind; `text` is its source text. */
export function conditionsAbout(text: string, kind: Kind, source: SourceView): Condition[] {
  const optional: Condition[] = [
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
        ...textConditions(text, source),
        ...characterConditions(text, source.literals.tested),
        ...lengthConditions(text),
      ];
    case 'array':
      return lengthConditions(text);
    case 'function':
      return [[`typeof ${text} === 'function'`, 0.5]];
    case 'object':
      return [...optional, [`typeof ${text} === 'object'`, 0.4], [`!Array.isArray(${text})`, 0.4]];
    default:
      return [
        ...optional,
        ...typeConditions(text),
        ...textConditions(text, source),
        ...characterConditions(text, source.literals.tested),
        ...lengthConditions(text),
      ];
  }
}

function typeConditions(text: string): Condition[] {
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

/** Tests for digits, blanks, letters and case, each only if the failing tests' strings contain such characters. */
function characterConditions(text: string, tested: readonly string[]): Condition[] {
  const byCharacter: readonly (readonly [pattern: RegExp, conditions: readonly Condition[]])[] = [
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
  return byCharacter.flatMap(([pattern, conditions]) => (pattern.test(all) ? conditions : []));
}

function textConditions(text: string, { literals }: SourceView): Condition[] {
  const distinct = literals.distinct.slice(0, 2).flatMap((mark): Condition[] => [
    [`!${text}.includes(${mark})`, 2],
    [`${text}.includes(${mark})`, 1.6],
    [`${text}.startsWith(${mark})`, 1.2],
    [`${text}.endsWith(${mark})`, 1.2],
  ]);
  const common = literals.marks.slice(0, 4).flatMap((mark): Condition[] => [
    [`${text}.includes(${mark})`, 0.4],
    [`!${text}.includes(${mark})`, 0.45],
    [`${text}.startsWith(${mark})`, 0.4],
    [`!${text}.startsWith(${mark})`, 0.4],
    [`${text}.endsWith(${mark})`, 0.35],
    [`${text} === ${mark}`, 0.4],
    [`${text} !== ${mark}`, 0.4],
  ]);
  return [...distinct, ...common];
}

function lengthConditions(text: string): Condition[] {
  return [
    [`${text}.length > 0`, 0.5],
    [`${text}.length === 0`, 0.45],
    [`${text}.length > 1`, 0.4],
    [`${text}.length === 1`, 0.35],
  ];
}
