import { quote } from '../../syntax/literals.ts';
import type { Operator } from '../operator.ts';
import { replaceNode, replaceRange } from '../proposals.ts';

/** Applies the difference between a received and an expected string to the strings of the code. */
export const expectedText: Operator = {
  name: 'expected-text',
  prior: 0.6,
  *propose({ node, key, parent }, { literals }) {
    if (key === 'key' || key === 'source' || parent?.node.type === 'JSXAttribute') return;
    for (const { from, to } of literals.differences) {
      if (node.type === 'StringLiteral') {
        for (const [text, factor] of replaced(node.value, from, to))
          yield replaceNode(node, quote(text), factor);
      }
      if (node.type !== 'TemplateElement' || parent?.node.type !== 'TemplateLiteral') continue;
      for (const [text, factor] of replaced(node.value.raw, from, to)) {
        if (!/[`\\]|\$\{/.test(text)) yield replaceRange(node.start!, node.end!, text, factor);
      }
    }
  },
};

/** The text with `from` replaced by `to`; with `to` added at either end if `from` is empty. */
function replaced(text: string, from: string, to: string): [string, number][] {
  if (from === '') {
    return [
      [to + text, 0.5],
      [text + to, 0.5],
    ];
  }
  if (text === '' || (!text.includes(from) && !from.includes(text))) return [];
  if (!text.includes(from)) return to.length <= 12 ? [[to, 0.3]] : [];
  return [
    [text.replace(from, () => to), 1],
    [text.replaceAll(from, () => to), 0.8],
  ];
}
