import type { Node } from '@babel/types';
import type { Binding } from '../../syntax/bindings.ts';
import { quote } from '../../syntax/literals.ts';
import { operatorPrecedence, Precedence, precedenceOf, atLeast } from '../../syntax/precedence.ts';
import { isRead } from '../../syntax/reads.ts';
import type { Site } from '../../syntax/walk.ts';
import type { Operator, SourceView } from '../operator.ts';
import { replaceNode, replaceRange, replaceSite } from '../proposals.ts';

/** `'.*'` → `'?.*'`, `'a,'` → `'a'`: adds or removes a character at one end of a string. */
export const textEdges: Operator = {
  name: 'text-edges',
  prior: 0.3,
  *propose(site, { literals }) {
    const { node, key, parent } = site;
    if (key === 'key' || key === 'source' || parent?.node.type === 'JSXAttribute') return;
    const characters = literals.marks.map((mark) => mark.slice(1, -1)).filter((mark) => /^\\?.$/.test(mark));
    const added = [...new Set([...characters.map((mark) => mark.at(-1)!).slice(0, 8), ' ', '?', '/'])];
    if (node.type === 'StringLiteral' && node.value !== '') {
      for (const [text, factor] of edged(node.value, added)) yield replaceNode(node, quote(text), factor);
    }
    if (node.type !== 'TemplateElement' || parent?.node.type !== 'TemplateLiteral') return;
    for (const [text, factor] of edged(node.value.raw, added)) {
      if (!/[`$\\]/.test(text)) yield replaceRange(node.start!, node.end!, text, factor * 0.8);
    }
  },
};

/** The text without its first or last character, and with a character added at either end. */
function* edged(text: string, added: readonly string[]): Generator<[string, number]> {
  if (text.length > 1) {
    yield [text.slice(1), 0.8];
    yield [text.slice(0, -1), 0.8];
  }
  for (const character of added) {
    yield [character + text, 0.7];
    yield [text + character, 0.7];
  }
}

/** `x === 'a'` → `x === 'a' || x === 'b'`, `['a']` → `['a', 'b']`, `case 'a':` → `case 'b': case 'a':`. */
export const alternative: Operator = {
  name: 'alternative',
  prior: 0.3,
  *propose(site, { textOf, literals, kindOf }) {
    const { node, key, parent } = site;
    const words = literals.tested
      .filter((text) => text.length > 0 && text.length <= 30)
      .slice(0, 10)
      .map(quote);
    const values = [...new Set([...literals.marks.slice(0, 6), ...words])];
    if (
      node.type === 'BinaryExpression' &&
      /^[!=]==$/.test(node.operator) &&
      node.right.type === 'StringLiteral'
    ) {
      const joint = node.operator === '===' ? '||' : '&&';
      for (const value of [...values, 'undefined', 'null']) {
        const text = `${textOf(node)} ${joint} ${textOf(node.left)} ${node.operator} ${value}`;
        if (value !== quote(node.right.value)) yield replaceSite(site, text, operatorPrecedence(joint));
      }
    }
    if (node.type === 'ArrayExpression' && isListOfTexts(node)) {
      const last = node.elements.at(-1)!;
      const own = new Set(node.elements.map((element) => quote((element as { value: string }).value)));
      for (const value of values)
        if (!own.has(value)) yield replaceRange(last.end!, last.end!, `, ${value}`, 0.8);
    }
    if (node.type === 'SwitchCase' && node.test?.type === 'StringLiteral') {
      for (const value of values) yield replaceRange(node.start!, node.start!, `case ${value}:\n`, 0.8);
    }
    if (node.type === 'BinaryExpression' && /^[!=]==$/.test(node.operator) && isTypeName(node)) {
      const joint = node.operator === '===' ? '||' : '&&';
      for (const type of ['function', 'string', 'object', 'number', 'undefined', 'boolean', 'symbol']) {
        const text = `${textOf(node)} ${joint} ${textOf(node.left)} ${node.operator} '${type}'`;
        if (quote(type) !== textOf(node.right)) yield replaceSite(site, text, operatorPrecedence(joint), 0.8);
      }
    }
    const isNumberTest =
      node.type === 'BinaryExpression' && /^[!=]==$/.test(node.operator) && kindOf(node.right) === 'number';
    if (isNumberTest && key === 'test' && parent?.node.type === 'IfStatement') {
      yield replaceSite(site, `${textOf(node)} || Number.isNaN(${textOf(node.left)})`, Precedence.or, 0.4);
    }
  },
};

/** Whether the comparison is with the name of a type, as in `typeof x === 'object'`. */
function isTypeName({ left, right }: { left: Node; right: Node }): boolean {
  const names = ['function', 'string', 'object', 'number', 'undefined', 'boolean', 'symbol'];
  return right.type === 'StringLiteral' && names.includes(right.value) && left.type !== 'StringLiteral';
}

function isListOfTexts(node: Extract<Node, { type: 'ArrayExpression' }>): boolean {
  return node.elements.length > 0 && node.elements.every((element) => element?.type === 'StringLiteral');
}

/** `x` → `x.replace(PATTERN, '')`, `x.slice(1)`, `x.replaceAll('a', '')`: removes a part of a string. */
export const cleanText: Operator = {
  name: 'clean-text',
  prior: 0.22,
  *propose(site, source) {
    const { node, key } = site;
    if (!/^(Identifier|MemberExpression|CallExpression)$/.test(node.type) || key === 'callee') return;
    if (!isRead(site)) return;
    const kind = source.kindOf(node);
    if (kind !== 'string' && kind !== 'unknown') return;
    if (node.type === 'Identifier' && !isLocal(node.name, source.visibleAt(site))) return;
    const text = atLeast(source.textOf(node), precedenceOf(node), Precedence.call);
    const factor = kind === 'string' ? 1 : 0.6;
    for (const [step, worth] of stepsFor(site, source)) {
      yield replaceSite(site, text + step, Precedence.call, factor * worth);
    }
  },
};

function* stepsFor(site: Site, source: SourceView): Generator<[string, number]> {
  const patterns = source.visibleAt(site).filter(({ init }) => init?.type === 'RegExpLiteral');
  for (const { name } of patterns.slice(0, 4)) {
    yield [`.replace(${name}, '')`, 0.8];
    yield [`.replace(${name}, '$1')`, 0.4];
  }
  yield ['.slice(1)', 0.6];
  yield ['.slice(0, -1)', 0.6];
  for (const mark of source.literals.marks.slice(0, 4)) {
    const character = mark.slice(1, -1).at(-1)!;
    yield [`.replaceAll(${mark}, '')`, 0.6];
    if (!/\w/.test(character)) yield [`.replace(/^\\${character}+/, '')`, 0.5];
    if (!/\w/.test(character)) yield [`.replace(/\\${character}+$/, '')`, 0.5];
  }
}

function isLocal(name: string, known: readonly Binding[]): boolean {
  return known.some((binding) => binding.name === name && binding.owner >= 0);
}
