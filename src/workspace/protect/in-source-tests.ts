import { extname } from 'node:path';
import { parse } from '@babel/parser';
import type { Node } from '@babel/types';

const MENTION = /\bimport\.meta\.vitest\b/g;

/**
 * Whether two texts of a source have the same tests in them: the same statements `if (import.meta.vitest) { … }`, in order,
 * and no other mention of it. False for a text without such tests, and for one that cannot be parsed.
 */
export function haveSameTests(path: string, before: string, after: string): boolean {
  const [then, now] = [testsIn(path, before), testsIn(path, after)];
  return then !== undefined && now !== undefined && then.length > 0 && then.join('\n') === now.join('\n');
}

function testsIn(path: string, text: string): string[] | undefined {
  const blocks = topLevel(path, text)?.flatMap((node) =>
    node.type === 'IfStatement' && isTestCondition(node.test, text) ? [textOf(node, text)] : [],
  );
  const inside = blocks?.flatMap((block) => block.match(MENTION) ?? []).length;
  return inside === (text.match(MENTION) ?? []).length ? blocks : undefined;
}

function isTestCondition(test: Node, text: string): boolean {
  return textOf(test, text).replaceAll(/\s/g, '') === 'import.meta.vitest';
}

function textOf({ start, end }: Node, text: string): string {
  return text.slice(start!, end!);
}

function topLevel(path: string, text: string): readonly Node[] | undefined {
  const isTyped = /\.[cm]?tsx?$/.test(path);
  const hasJsx = !isTyped || extname(path) === '.tsx';
  try {
    return parse(text, {
      sourceType: 'module',
      plugins: [
        ...(isTyped ? (['typescript'] as const) : []),
        ...(hasJsx ? (['jsx'] as const) : []),
        'decorators',
      ],
    }).program.body;
  } catch {
    return undefined;
  }
}
