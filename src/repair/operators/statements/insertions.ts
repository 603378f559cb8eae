import type { Node } from '@babel/types';
import { inLoop, inStatementList, isFunction, nearest, type Site } from '../../syntax/walk.ts';
import { isUnused, kindOfBinding } from '../binding-kinds.ts';
import type { Operator, SourceView } from '../operator.ts';
import { insertAt } from '../proposals.ts';

/** Resets a variable to its initial value, `n = 1`, at the start or end of a block in a loop. */
export const reset: Operator = {
  name: 'reset',
  prior: 0.3,
  *propose(site, source) {
    if (!isBlockInLoop(site)) return;
    for (const { name, init } of assignable(site, source)) {
      if (init === undefined || !/Literal$|^ArrayExpression$|^UnaryExpression$/.test(init.type)) continue;
      yield* atEnds(site, `${name} = ${source.textOf(init)};`, 1);
    }
  },
};

/** Inserts `i++`, `i--` or `x %= y` at the start or end of a block in a loop. */
export const advance: Operator = {
  name: 'advance',
  prior: 0.25,
  *propose(site, source) {
    if (!isBlockInLoop(site)) return;
    const names = new Set(assignable(site, source).map(({ name }) => name));
    for (const { name, init } of assignable(site, source)) {
      const numeric = init === undefined || source.kindOf(init) === 'number';
      if (numeric) yield* atEnds(site, `${name}++;`, 1);
      if (numeric) yield* atEnds(site, `${name}--;`, 0.7);
    }
    const seen = new Set<string>();
    for (const { node } of source.withinFunction(site)) {
      const text = assignmentFrom(node, names, source);
      if (text === undefined || seen.has(text) || seen.size === 12) continue;
      seen.add(text);
      yield* atEnds(site, text, 0.8);
    }
  },
};

/** Copies another short statement of the function to the start or end of a block. */
export const copyStatement: Operator = {
  name: 'copy-statement',
  prior: 0.2,
  *propose(site, source) {
    if (site.node.type !== 'BlockStatement') return;
    const own = source.textOf(site.node);
    const seen = new Set<string>();
    for (const { node } of source.withinFunction(site)) {
      if (node.type !== 'ExpressionStatement') continue;
      const text = source.textOf(node);
      if (text.length > 60 || own.includes(text) || seen.has(text) || seen.size === 8) continue;
      seen.add(text);
      yield* atEnds(site, text.endsWith(';') ? text : `${text};`, 1);
    }
  },
};

/** Counts with a variable that is never read: `if (flag) count++;` or `count += flag;` at the end of its block. */
export const useOfUnread: Operator = {
  name: 'use-of-unread',
  prior: 0.3,
  *propose(site, source) {
    const { node } = site;
    if (node.type !== 'BlockStatement') return;
    const own = source.visibleAt(end(site));
    const flags = own.filter(
      (binding) => binding.start >= node.start! && isNeverRead(binding.name, site, source),
    );
    const counters = own.filter(
      (binding) => binding.kind === 'let' && kindOfBinding(binding, source) === 'number',
    );
    for (const { name, init } of flags.slice(0, 3)) {
      const test =
        init !== undefined && /Numeric|String/.test(init.type) ? `${name} === ${source.textOf(init)}` : name;
      for (const counter of counters.filter((binding) => binding.name !== name).slice(0, 4)) {
        yield insertAt(node.end! - 1, `if (${test}) ${counter.name}++;\n`, 1);
        yield insertAt(node.end! - 1, `${counter.name} += ${name};\n`, 0.7);
      }
    }
  },
};

/** `f(x);` → `result = f(x);`: assigns an unused result. */
export const assignUnused: Operator = {
  name: 'assign-unused',
  prior: 0.2,
  *propose(site, source) {
    const { node } = site;
    if (node.type !== 'ExpressionStatement' || !inStatementList(site)) return;
    if (node.expression.type !== 'CallExpression' && node.expression.type !== 'AwaitExpression') return;
    for (const binding of source
      .visibleAt(site)
      .filter((known) => known.kind === 'let' || isUnused(known))
      .slice(0, 4)) {
      if (binding.kind === 'const' || binding.kind === 'function') continue;
      yield insertAt(node.start!, `${binding.name} = `);
    }
  },
};

/** Insertions at the end and at the start of the site's block. */
function atEnds(site: Site, text: string, factor: number) {
  const { node } = site;
  const body = (node as { body: Node[] }).body;
  const last = body.at(-1);
  const isJump = /^(Return|Break|Continue|Throw)Statement$/.test(last?.type ?? '');
  const close = isJump ? last!.start! : node.end! - 1;
  return [insertAt(close, `${text}\n`, factor), insertAt(node.start! + 1, `\n${text}`, factor * 0.8)];
}

function isBlockInLoop(site: Site): boolean {
  return site.node.type === 'BlockStatement' && site.parent !== undefined && inLoop(site.parent);
}

/** Assignable local variables of the enclosing function. */
function assignable(site: Site, source: SourceView) {
  const owner = nearest(site, isFunction)?.node.start ?? -1;
  return source
    .visibleAt(end(site))
    .filter((binding) => /^(let|var|param)$/.test(binding.kind) && binding.owner === owner)
    .slice(0, 8);
}

function end(site: Site): Site {
  return { ...site, node: { ...site.node, start: site.node.end! - 1 } };
}

/** `x % y` in the function → `x %= y;`. */
function assignmentFrom(node: Node, names: ReadonlySet<string>, { textOf }: SourceView): string | undefined {
  if (node.type !== 'BinaryExpression' || !/^[-+*/%]$/.test(node.operator)) return undefined;
  if (node.left.type !== 'Identifier' || !names.has(node.left.name)) return undefined;
  return `${node.left.name} ${node.operator}= ${textOf(node.right)};`;
}

function isNeverRead(name: string, site: Site, source: SourceView): boolean {
  return source.withinFunction(site).every(({ node, key, parent }) => {
    if (node.type !== 'Identifier' || node.name !== name) return true;
    const holder = parent?.node.type;
    return (
      (holder === 'AssignmentExpression' && key === 'left') ||
      (holder === 'VariableDeclarator' && key === 'id')
    );
  });
}
