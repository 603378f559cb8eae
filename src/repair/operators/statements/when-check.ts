import { inStatementList } from '../../syntax/walk.ts';
import { conditionsAt } from '../conditions/condition-texts.ts';
import type { Operator } from '../operator.ts';
import { insertAt } from '../proposals.ts';

const MAX_CONDITIONS = 16;

/** `text += ':';` → `if (extended) text += ':';`: makes a statement conditional. */
export const whenCheck: Operator = {
  name: 'when-check',
  prior: 0.2,
  *propose(site, source) {
    const { node } = site;
    if (node.type !== 'ExpressionStatement' || !inStatementList(site)) return;
    if (/^(Await|Yield|String)/.test(node.expression.type) || source.textOf(node).startsWith('super')) return;
    for (const [condition, factor] of conditionsAt(site, node, source).slice(0, MAX_CONDITIONS)) {
      yield insertAt(node.start!, `if (${condition}) `, factor);
    }
  },
};
