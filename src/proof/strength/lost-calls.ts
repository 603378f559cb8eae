import type { Node } from '@babel/types';
import { applyEdits, type TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, parseSource, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { inStatementList, sitesOf } from '../../repair/syntax/walk.ts';
import { isGuard, partOf } from './added-parts.ts';
import { revertOf, type ChangedSource } from './changed-source.ts';
import type { RevertedBlock } from './reverted-blocks.ts';

/** Most calls of a change that are put back. */
const MAX_CALLS = 6;
/** What tells others of something. */
const TELLS =
  /(?:^|\.)(?:console|log|logger|audit\w*|emit\w*|notify\w*|report\w*|track\w*|metrics?|on[A-Z]\w*)(?:\.|$)/;

/**
 * Calls that a change takes out of a block which it writes anew, each with the edit that makes the call again at the beginning of
 * the block: a call that tells somebody something and whose result nobody uses, and a guard that asks a function of its own. Nothing
 * that the change writes has the name of what is called.
 */
export function lostCalls(sources: readonly ChangedSource[]): RevertedBlock[] {
  return sources.flatMap(lostIn).slice(0, MAX_CALLS);
}

function lostIn(source: ChangedSource): RevertedBlock[] {
  const { file, parsed, blocks } = source;
  const lines = parsed.text.split('\n');
  const written = blocks
    .flatMap(({ line, lines: count }) => lines.slice(line - 1, line - 1 + count))
    .join('\n');
  return blocks.flatMap((block) => {
    if (block.lines === 0) return [];
    const own = revertOf(source, block);
    const base = parseSource(file, applyEdits(parsed.text, [own]));
    if ('problem' in base || base.errors.length > 0) return [];
    const at = firstStatement(parsed, own.start, own.end);
    if (at === undefined) return [];
    return lostFrom(base, own.start, own.start + own.replacement.length, written).flatMap(
      ({ text, again }) => {
        const edit: TextEdit = { start: at, end: at, replacement: `${again}\n` };
        const part = partOf(source, edit);
        if (part === undefined) return [];
        const { added: _, ...rest } = part;
        return [{ ...rest, block: { ...rest.block, lines: 0, before: [text] }, removed: text }];
      },
    );
  });
}

/** Where the first statement of a list begins within a range. */
function firstStatement(parsed: ParsedSource, start: number, end: number): number | undefined {
  return sitesOf(parsed.tree.program)
    .filter((site) => inStatementList(site) && start <= startOf(site.node) && startOf(site.node) < end)
    .map(({ node }) => startOf(node))
    .sort((a, b) => a - b)[0];
}

interface Lost {
  /** As the base has it. */
  readonly text: string;
  readonly again: string;
}

function lostFrom(base: ParsedSource, start: number, end: number, written: string): Lost[] {
  const own = declaredIn(base);
  const sites = sitesOf(base.tree.program);
  return sites.flatMap((site): Lost[] => {
    const { node } = site;
    if (startOf(node) < start || endOf(node) > end) return [];
    const text = base.text.slice(startOf(node), endOf(node));
    if (node.type === 'ExpressionStatement') {
      const call = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression;
      if (call.type !== 'CallExpression') return [];
      const callee = base.text.slice(startOf(call.callee), endOf(call.callee));
      const name = callee.split('.').at(-1)!;
      if (!/^[\w$.#]+$/.test(callee) || isWritten(name, written) || !tells(callee, own)) return [];
      const given = call.arguments.map((it) => base.text.slice(startOf(it), endOf(it)));
      if (given.some((it) => /^\.\.\.|\b(?:await|yield)\b/.test(it))) return [];
      return [{ text, again: `${callee}(${given.map(ifThere).join(', ')});` }];
    }
    if (!inStatementList(site) || !isGuard(node)) return [];
    const called = sites.flatMap(({ node: inner }) =>
      inner.type === 'CallExpression' &&
      inner.callee.type === 'Identifier' &&
      startOf(node.test) <= startOf(inner) &&
      endOf(inner) <= endOf(node.test)
        ? [inner.callee.name]
        : [],
    );
    const isLost =
      called.some((name) => own.functions.has(name)) && !called.some((it) => isWritten(it, written));
    return isLost ? [{ text, again: text }] : [];
  });
}

/** A value, or undefined where its names are not declared. */
function ifThere(text: string): string {
  return `(() => { try { return (${text}); } catch { return undefined; } })()`;
}

function isWritten(name: string, written: string): boolean {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(written);
}

interface Declared {
  readonly functions: ReadonlySet<string>;
  readonly methods: ReadonlySet<string>;
}

/** Whether a call tells somebody outside of the source: a member that it got, or what is named so. */
function tells(callee: string, { methods }: Declared): boolean {
  const [object, name, ...rest] = callee.split('.');
  if (TELLS.test(callee)) return true;
  return object === 'this' && name !== undefined && rest.length === 0 && !methods.has(name);
}

function declaredIn({ tree }: ParsedSource): Declared {
  const functions = new Set<string>();
  const methods = new Set<string>();
  for (const { node } of sitesOf(tree.program)) {
    if (node.type === 'FunctionDeclaration' && node.id) functions.add(node.id.name);
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && isFunction(node.init))
      functions.add(node.id.name);
    if (node.type === 'ClassMethod' && node.key.type === 'Identifier') methods.add(node.key.name);
    if (node.type === 'ClassPrivateMethod') methods.add(`#${node.key.id.name}`);
  }
  return { functions, methods };
}

function isFunction(node: Node | null | undefined): boolean {
  return node?.type === 'FunctionExpression' || node?.type === 'ArrowFunctionExpression';
}
