import type { Kind } from '../../syntax/kinds.ts';
import { Precedence } from '../../syntax/precedence.ts';
import { isRead } from '../../syntax/reads.ts';
import type { Site } from '../../syntax/walk.ts';
import { isCallable } from '../binding-kinds.ts';
import type { Operator, Proposal, SourceView } from '../operator.ts';
import { replaceSite } from '../proposals.ts';

/** `a - b` → `Math.abs(a - b)`, `x / 2` → `Math.floor(x / 2)`, `x` → `[...new Set(x)]`. */
export const wrap: Operator = {
  name: 'wrap',
  prior: 0.4,
  propose: (site, source) => wrapped(site, source, WRAPS),
};

/** `x` → `Number(x)`, `String(x)`. */
export const convert: Operator = {
  name: 'convert',
  prior: 0.35,
  propose: (site, source) => wrapped(site, source, CONVERSIONS),
};

/** `x` → `f(x)`, `f(x)` → `f(f(x))`, with functions of this file. */
export const applyFunction: Operator = {
  name: 'apply-function',
  prior: 0.3,
  *propose(site, source) {
    const { node } = site;
    if (!isRead(site) || site.key === 'callee' || site.key === 'object') return;
    if (!/^(Identifier|MemberExpression|CallExpression)$/.test(node.type)) return;
    const text = source.textOf(node);
    const callables = source.visibleAt(site).filter((binding) => isCallable(binding, source));
    for (const { name } of callables.slice(0, 6)) {
      const again = text.startsWith(`${name}(`) ? 1 : 0.6;
      if (name !== text)
        yield replaceSite(
          site,
          `${name}(${text})`,
          Precedence.call,
          again * recursionFactor(site, name, source),
        );
    }
  },
};

/** `f(x)` → `x`, `Math.floor(x)` → `x`. */
export const unwrap: Operator = {
  name: 'unwrap',
  prior: 0.5,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type !== 'CallExpression' || node.arguments.length === 0) return;
    const [argument] = node.arguments;
    if (argument === undefined || /Function|Spread/.test(argument.type)) return;
    if (site.parent?.node.type === 'ExpressionStatement') return;
    yield replaceSite(
      site,
      textOf(argument),
      argument.type === 'AssignmentExpression' ? 2 : Precedence.sequence + 1,
    );
  },
};

interface Wrapping {
  readonly before: string;
  readonly after: string;
  /** Kind of value that it applies to. */
  readonly on: Kind | 'any';
  readonly factor: number;
}

const CONVERSIONS: readonly Wrapping[] = [
  { before: 'Number(', after: ')', on: 'string', factor: 0.7 },
  { before: 'String(', after: ')', on: 'number', factor: 0.6 },
  { before: 'Boolean(', after: ')', on: 'any', factor: 0.2 },
];

const WRAPS: readonly Wrapping[] = [
  { before: 'Math.abs(', after: ')', on: 'number', factor: 1 },
  { before: 'Math.floor(', after: ')', on: 'number', factor: 1 },
  { before: 'Math.ceil(', after: ')', on: 'number', factor: 0.8 },
  { before: 'Math.round(', after: ')', on: 'number', factor: 0.8 },
  { before: 'Math.trunc(', after: ')', on: 'number', factor: 0.5 },
  { before: 'Math.sqrt(', after: ')', on: 'number', factor: 0.3 },
  { before: 'Math.max(0, ', after: ')', on: 'number', factor: 0.5 },
  { before: '[...', after: ']', on: 'array', factor: 0.7 },
  { before: '[...new Set(', after: ')]', on: 'array', factor: 0.8 },
  { before: '[', after: ']', on: 'any', factor: 0.15 },
  { before: 'structuredClone(', after: ')', on: 'object', factor: 0.4 },
];

function* wrapped(site: Site, source: SourceView, wrappings: readonly Wrapping[]): Generator<Proposal> {
  const { node } = site;
  if (!isRead(site) || site.key === 'callee') return;
  if (
    !/^(Identifier|MemberExpression|CallExpression|BinaryExpression|ParenthesizedExpression|AwaitExpression)$/.test(
      node.type,
    )
  )
    return;
  const kind = source.kindOf(node);
  const text = source.textOf(node);
  for (const { before, after, on, factor } of wrappings) {
    const fits = on === 'any' || kind === on ? 1 : kind === 'unknown' ? 0.5 : 0;
    if (fits > 0)
      yield replaceSite(site, before + text + after, Precedence.call, fits * factor * placeFactor(site));
  }
}

/** Whole values need wrapping more often than operands. */
function placeFactor({ parent }: Site): number {
  return /^(ReturnStatement|VariableDeclarator|AssignmentExpression|CallExpression|ArrowFunctionExpression|MemberExpression)$/.test(
    parent?.node.type ?? '',
  )
    ? 1
    : 0.6;
}

/** Penalty for a call of the surrounding function, since a missing recursion is rare. */
function recursionFactor(site: Site, name: string, source: SourceView): number {
  const own = source.withinFunction(site)[0]?.node;
  return own !== undefined && 'id' in own && own.id?.type === 'Identifier' && own.id.name === name ? 0.5 : 1;
}
