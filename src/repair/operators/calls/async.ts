import { Precedence, precedenceOf, atLeast } from '../../syntax/precedence.ts';
import { isRead } from '../../syntax/reads.ts';
import { functionOf, type Site } from '../../syntax/walk.ts';
import type { Operator } from '../operator.ts';
import { insertAt, replaceNode, replaceSite, together } from '../proposals.ts';

/** `f()` → `await f()`, `list.map(async …)` → `await Promise.all(list.map(async …))`. */
export const missingAwait: Operator = {
  name: 'missing-await',
  prior: 0.6,
  *propose(site, { textOf }) {
    const { node, parent } = site;
    const isCall =
      node.type === 'CallExpression' || (node.type === 'Identifier' && isRead(site) && site.key !== 'callee');
    if (!isCall || parent?.node.type === 'AwaitExpression') return;
    const text = textOf(node);
    const factor = node.type === 'CallExpression' ? 1 : 0.3;
    if (isAsync(site)) {
      yield replaceSite(site, `await ${text}`, Precedence.unary, factor);
      if (text.includes('async')) yield replaceSite(site, `await Promise.all(${text})`, Precedence.unary, 1);
      return;
    }
    const owner = functionOf(site)?.node;
    if (owner === undefined || node.type !== 'CallExpression' || !canBeAsync(owner.type)) return;
    if ((owner as { generator?: boolean }).generator === true) return;
    yield together(
      [insertAt(owner.start!, 'async '), replaceSite(site, `await ${text}`, Precedence.unary)],
      0.25,
    );
  },
};

/** `await f()` → `f()`. */
export const dropAwait: Operator = {
  name: 'drop-await',
  prior: 0.25,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type === 'AwaitExpression') yield replaceNode(node, textOf(node.argument));
  },
};

/** `x.a` → `x?.a`, `f()` → `f?.()`. */
export const optionalChain: Operator = {
  name: 'optional-chain',
  prior: 0.4,
  *propose(site) {
    const { node, key, parent } = site;
    const isTarget =
      (key === 'left' &&
        parent?.node.type !== 'BinaryExpression' &&
        parent?.node.type !== 'LogicalExpression') ||
      key === 'argument';
    if (isTarget || key === 'tag' || parent?.node.type === 'NewExpression') return;
    if (
      node.type === 'MemberExpression' &&
      node.object.type !== 'Super' &&
      node.object.type !== 'ThisExpression'
    ) {
      yield insertAt(node.object.end!, node.computed ? '?.' : '?', 1);
    }
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier')
      yield insertAt(node.callee.end!, '?.', 0.4);
  },
};

/** `x` → `x ?? 0`, `x || ''`, `x.a` → `x?.a ?? 0`: adds a default value. */
export const fallback: Operator = {
  name: 'fallback',
  prior: 0.3,
  *propose(site, { textOf, kindOf, literals }) {
    const { node, parent } = site;
    if (
      !/^(Identifier|MemberExpression|OptionalMemberExpression|CallExpression|AwaitExpression)$/.test(
        node.type,
      )
    )
      return;
    if (
      !isRead(site) ||
      site.key === 'callee' ||
      site.key === 'test' ||
      parent?.node.type === 'SpreadElement'
    )
      return;
    const own = kindOf(node);
    const text = atLeast(textOf(node), precedenceOf(node), Precedence.unary);
    const values = [...literals.expected.slice(0, 3), '0', "''", '[]', '{}', 'null', '1', 'false'];
    for (const value of new Set(values)) {
      if (own === 'number' && value !== '0' && value !== '1') continue;
      const wanted = node.type === 'Identifier' ? 0.6 : 1;
      yield replaceSite(site, `${text} ?? ${value}`, Precedence.conditional, wanted);
      yield replaceSite(site, `${text} || ${value}`, Precedence.conditional, wanted * 0.5);
      if (node.type !== 'MemberExpression' || node.object.type === 'ThisExpression') continue;
      const chained = `${textOf(node.object)}${node.computed ? `?.[${textOf(node.property)}]` : `?.${textOf(node.property)}`}`;
      yield replaceSite(site, `${chained} ?? ${value}`, Precedence.conditional, 0.6);
    }
  },
};

/** `function (a)` → `function (a = 0)`. */
export const parameterDefault: Operator = {
  name: 'parameter-default',
  prior: 0.3,
  *propose({ node, key }) {
    if (key !== 'params' || node.type !== 'Identifier' || node.optional) return;
    for (const value of ['0', '1', "''", '[]', '{}', 'false', 'true', 'null']) {
      yield insertAt(node.end!, ` = ${value}`);
    }
  },
};

function isAsync(site: Site): boolean {
  const owner = functionOf(site);
  return owner !== undefined && 'async' in owner.node && owner.node.async === true;
}

function canBeAsync(type: string): boolean {
  return (
    type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
  );
}
