import type { Node } from '@babel/types';
import { isCompatible } from '../../syntax/kinds.ts';
import { Precedence, precedenceOf } from '../../syntax/precedence.ts';
import { isRead } from '../../syntax/reads.ts';
import { nearest, type Site } from '../../syntax/walk.ts';
import type { Operator, SourceView } from '../operator.ts';
import { replaceSite } from '../proposals.ts';

const MAX_CHARS = 40;
const MAX_EXPRESSIONS = 40;

/** Replaces an operand by another expression of the same function with a compatible kind. */
export const reuse: Operator = {
  name: 'reuse',
  prior: 0.3,
  *propose(site, source) {
    const { node } = site;
    if (!isRead(site) || site.key === 'callee' || !isOperand(node)) return;
    const own = source.textOf(node);
    const kind = source.kindOf(node);
    const names = new Set(source.visibleAt(site).map(({ name }) => name));
    let count = 0;
    for (const { text, site: other, names: needed } of expressionsNear(site, source)) {
      if (count === MAX_EXPRESSIONS) return;
      if (text === own || !isCompatible(kind, source.kindOf(other.node)) || encloses(other, site)) continue;
      if (!needed.every((name) => names.has(name))) continue;
      count++;
      const precedence = precedenceOf(other.node);
      yield replaceSite(
        site,
        text,
        precedence,
        similarity(own, text) * (precedence < Precedence.call ? 0.7 : 1),
      );
    }
  },
};

interface Reusable {
  readonly text: string;
  readonly site: Site;
  /** Names that must be visible where it is used. */
  readonly names: readonly string[];
}

const byFunction = new WeakMap<readonly Site[], readonly Reusable[]>();

/** Short expressions of the site's function, without duplicates; computed once per function. */
function expressionsNear(site: Site, source: SourceView): readonly Reusable[] {
  const sites = source.withinFunction(site);
  const known = byFunction.get(sites);
  if (known !== undefined) return known;
  const found = new Map<string, Reusable>();
  for (const other of sites) {
    if (!isSource(other.node) || !isRead(other) || other.key === 'callee') continue;
    const text = source.textOf(other.node);
    if (text.length > MAX_CHARS || found.has(text)) continue;
    found.set(text, { text, site: other, names: freeNames(other, sites) });
  }
  const reusable = [...found.values()];
  byFunction.set(sites, reusable);
  return reusable;
}

function isOperand(node: Node): boolean {
  return /^(Identifier|MemberExpression|CallExpression|NumericLiteral|StringLiteral|BinaryExpression)$/.test(
    node.type,
  );
}

function isSource(node: Node): boolean {
  return /^(MemberExpression|CallExpression|BinaryExpression|TemplateLiteral|UnaryExpression)$/.test(
    node.type,
  );
}

function encloses(other: Site, site: Site): boolean {
  return nearest(site, (node) => node === other.node) !== undefined;
}

/** Names that the expression uses; one that is never visible if it contains a function, which may bind names. */
function freeNames(site: Site, sites: readonly Site[]): string[] {
  const own = sites.filter(({ node }) => node.start! >= site.node.start! && node.end! <= site.node.end!);
  if (own.some(({ node }) => /Function/.test(node.type))) return [NEVER_VISIBLE];
  return own.flatMap((inner) => {
    const isName = inner.node.type === 'Identifier' && (isRead(inner) || inner.key === 'callee');
    return isName && !BUILT_IN.has((inner.node as { name: string }).name)
      ? [(inner.node as { name: string }).name]
      : [];
  });
}

/** Share of common words of two expressions, 0.4..1. */
function similarity(a: string, b: string): number {
  const words = (text: string) => new Set(text.match(/\w+/g) ?? []);
  const [left, right] = [words(a), words(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  return 0.4 + (0.6 * shared) / Math.max(left.size, right.size, 1);
}

const NEVER_VISIBLE = '\0';

const BUILT_IN = new Set(
  'Math Number String Boolean Array Object JSON Set Map Date RegExp parseInt parseFloat isNaN undefined NaN Infinity Symbol BigInt'.split(
    ' ',
  ),
);
