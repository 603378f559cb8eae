import { inStatementList } from '../syntax/walk.ts';
import { checksAt } from './checks.ts';
import { insertAt, type Operator, together } from './operator.ts';

const CHECK_LIMIT = 16;

/** `text += ':';` → `if (extended) text += ':';`: a statement that only some cases want. */
export const whenCheck: Operator = {
  name: 'when-check',
  prior: 0.2,
  *propose(site, source) {
    const { node } = site;
    if (node.type !== 'ExpressionStatement' || !inStatementList(site)) return;
    if (/^(Await|Yield|String)/.test(node.expression.type) || source.textOf(node).startsWith('super')) return;
    const checks = checksAt(site, node, source).slice(0, CHECK_LIMIT);
    for (const [check, factor] of checks) yield together([insertAt(node.start!, `if (${check}) `)], factor);
  },
};
