import type { Node } from '@babel/types';
import { inLoop, inStatementList, isFunction, isLoop, type Site } from '../../syntax/walk.ts';
import { conditionsAt } from '../conditions/condition-texts.ts';
import type { Operator, SourceView } from '../operator.ts';
import { insertAt } from '../proposals.ts';

const CONDITIONS_AT_ENTRY = 36;
const CONDITIONS_WITHIN = 16;
const EXITS_AT_ENTRY = 8;
const EXITS_WITHIN = 4;

/**
 * Inserts `if (!x) return y;` or `if (x === '__proto__') continue;` at the start of a function's or loop's body, or
 * before a statement at the top level of a function.
 */
export const earlyExit: Operator = {
  name: 'early-exit',
  prior: 0.22,
  *propose(site, source) {
    const place = placeOf(site);
    if (place === undefined) return;
    const conditions = conditionsAt(site, site.node, source).slice(0, place.conditions);
    const exits = place.isLoop
      ? [['continue;', 1] as const]
      : [...exitsAt(site, source)].slice(0, place.exits);
    for (const [condition, factor] of conditions) {
      for (const [exit, worth] of exits) {
        yield insertAt(site.node.start!, `if (${condition}) ${exit}\n`, factor * worth * place.factor);
      }
    }
  },
};

interface Place {
  readonly isLoop: boolean;
  /** Number of conditions to try. */
  readonly conditions: number;
  /** Number of statements to try with each condition. */
  readonly exits: number;
  readonly factor: number;
}

/** How much to try before the site; undefined for sites that no exit can precede. */
function placeOf(site: Site): Place | undefined {
  const owner = site.parent?.parent?.node;
  if (!inStatementList(site) || site.parent?.node.type !== 'BlockStatement' || owner === undefined)
    return undefined;
  if (isLoop(owner) && site.index === 0)
    return { isLoop: true, conditions: CONDITIONS_AT_ENTRY, exits: 1, factor: 1 };
  if (!isFunction(owner) || forbidsResult(owner)) return undefined;
  if (site.index === 0)
    return { isLoop: false, conditions: CONDITIONS_AT_ENTRY, exits: EXITS_AT_ENTRY, factor: 0.9 };
  if (site.node.type === 'FunctionDeclaration' || inLoop(site)) return undefined;
  const factor = site.node.type === 'ReturnStatement' ? 0.8 : 0.5;
  return { isLoop: false, conditions: CONDITIONS_WITHIN, exits: EXITS_WITHIN, factor };
}

/** Return statements: with expected values, with other results of the function, with its first parameter. */
function* exitsAt(site: Site, source: SourceView): Generator<readonly [text: string, factor: number]> {
  const seen = new Set<string>();
  const offer = function* (value: string, factor: number): Generator<readonly [string, number]> {
    if (seen.has(value)) return;
    seen.add(value);
    yield [value === '' ? 'return;' : `return ${value};`, factor];
  };
  for (const value of source.literals.expected.slice(0, 2)) yield* offer(value, 1);
  for (const value of otherResults(site, source).slice(0, 3)) yield* offer(value, 0.9);
  for (const value of parametersOf(site.parent!.parent!.node).slice(0, 1)) yield* offer(value, 0.7);
  yield* offer('', 0.5);
  yield* offer('false', 0.4);
}

/** Short results that the function returns elsewhere and whose names are visible at the site. */
export function otherResults(site: Site, source: SourceView): string[] {
  const visible = new Set(source.visibleAt(site).map(({ name }) => name));
  const results = source.withinFunction(site).flatMap(({ node }) => {
    if (node.type !== 'ReturnStatement' || !node.argument) return [];
    const text = source.textOf(node.argument);
    const isKnown = source
      .within(node.argument)
      .every(
        ({ node: part, key }) => part.type !== 'Identifier' || key === 'property' || visible.has(part.name),
      );
    return text.length <= 30 && (isKnown || text === 'undefined') ? [text] : [];
  });
  return [...new Set(results)];
}

function parametersOf(owner: Node): string[] {
  const { params = [] } = owner as { params?: Node[] };
  return params.flatMap((param) => (param.type === 'Identifier' ? [param.name] : []));
}

/** Whether a function must not return a value: a constructor, a setter or a generator. */
function forbidsResult(owner: Node): boolean {
  const { kind, generator } = owner as { kind?: string; generator?: boolean };
  return kind === 'constructor' || kind === 'set' || generator === true;
}
