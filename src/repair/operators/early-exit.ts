import type { Node } from '@babel/types';
import { inLoop, inStatementList, isFunction, isLoop, type Site } from '../syntax/walk.ts';
import { checksAt } from './checks.ts';
import { insertAt, type Operator, type SourceView } from './operator.ts';

const CHECKS_AT_ENTRY = 36;
const CHECKS_WITHIN = 16;
const EXITS_AT_ENTRY = 8;
const EXITS_WITHIN = 4;

/**
 * `if (!x) return y;`, `if (x === '__proto__') continue;`: a case that leaves early, where a function or a loop's
 * body starts, or before a return and other statements at the function's own level.
 */
export const earlyExit: Operator = {
  name: 'early-exit',
  prior: 0.22,
  *propose(site, source) {
    const place = placeOf(site);
    if (place === undefined) return;
    const checks = checksAt(site, site.node, source).slice(0, place.checks);
    const exits = place.isLoop
      ? [['continue;', 1] as const]
      : [...exitsAt(site, source)].slice(0, place.exits);
    for (const [check, factor] of checks) {
      for (const [exit, worth] of exits) {
        yield insertAt(site.node.start!, `if (${check}) ${exit}\n`, factor * worth * place.factor);
      }
    }
  },
};

interface Place {
  readonly isLoop: boolean;
  readonly checks: number;
  readonly exits: number;
  readonly factor: number;
}

/** Where a statement can be preceded by an exit, and how much is to be tried there. */
function placeOf(site: Site): Place | undefined {
  const owner = site.parent?.parent?.node;
  if (!inStatementList(site) || site.parent?.node.type !== 'BlockStatement' || owner === undefined)
    return undefined;
  if (isLoop(owner) && site.index === 0)
    return { isLoop: true, checks: CHECKS_AT_ENTRY, exits: 1, factor: 1 };
  if (!isFunction(owner) || isSpecial(owner)) return undefined;
  if (site.index === 0) return { isLoop: false, checks: CHECKS_AT_ENTRY, exits: EXITS_AT_ENTRY, factor: 0.9 };
  if (site.node.type === 'FunctionDeclaration' || inLoop(site)) return undefined;
  const factor = site.node.type === 'ReturnStatement' ? 0.8 : 0.5;
  return { isLoop: false, checks: CHECKS_WITHIN, exits: EXITS_WITHIN, factor };
}

/** Results of an early return: what the function returns elsewhere, what is expected, what came in. */
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

/** Short results that the site's function returns anywhere and that can be named here. */
function otherResults(site: Site, source: SourceView): string[] {
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

function isSpecial(owner: Node): boolean {
  const { kind, generator } = owner as { kind?: string; generator?: boolean };
  return kind === 'constructor' || kind === 'set' || generator === true;
}
