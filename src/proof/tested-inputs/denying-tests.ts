import type { CallExpression, Node } from '@babel/types';
import { parseText, walk } from '../acceptance/syntax.ts';

/**
 * Whether all tests in these texts that name a value only say what something must not be: a result without any content
 * passes them. False if no test names it.
 */
export function onlyDeny(texts: readonly string[], value: string): boolean {
  const tests = texts.flatMap(testsIn).filter((test) => hasText(test, value));
  return tests.length > 0 && tests.every(denies);
}

function testsIn(text: string): Node[] {
  const found: Node[] = [];
  for (const top of programOf(text))
    walk(top, (node) => {
      if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return;
      const body = node.arguments.at(-1);
      if (/^(test|it|specify)$/.test(node.callee.name) && body !== undefined) found.push(body);
    });
  return found;
}

function hasText(test: Node, value: string): boolean {
  let has = false;
  walk(test, (node) => {
    if (node.type === 'StringLiteral' && node.value === value) has = true;
    if (node.type === 'TemplateElement' && node.value.cooked === value) has = true;
  });
  return has;
}

/** Whether a test asserts something, and each of its assertions denies something. */
function denies(test: Node): boolean {
  const assertions: CallExpression[] = [];
  walk(test, (node, parents) => {
    if (node.type !== 'CallExpression' || !/^(assert|expect|t)$/.test(rootOf(node) ?? '')) return;
    const isInner = parents.some((it) => it.type === 'MemberExpression' && it.object === node);
    if (!isInner) assertions.push(node);
  });
  return assertions.length > 0 && assertions.every(isDenial);
}

function isDenial(call: CallExpression): boolean {
  const names: string[] = [];
  for (let at: Node = call; ;) {
    if (at.type === 'CallExpression') at = at.callee;
    else if (at.type === 'MemberExpression') {
      if (at.property.type === 'Identifier') names.push(at.property.name);
      at = at.object;
    } else break;
  }
  if (names.some((name) => /^(not\w*|doesNot\w*|isNot\w*|isFalse|falsy|toBeFalsy)$/.test(name))) return true;
  const [first, second] = call.arguments;
  if (first?.type === 'UnaryExpression' && first.operator === '!') return true;
  return second?.type === 'BooleanLiteral' && !second.value;
}

function rootOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'CallExpression') return rootOf(node.callee);
  return node.type === 'MemberExpression' ? rootOf(node.object) : undefined;
}

function programOf(text: string): readonly Node[] {
  try {
    return parseText(text, 'x.ts');
  } catch {
    return [];
  }
}
