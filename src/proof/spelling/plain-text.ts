import type { Node } from '@babel/types';
import { boundNames } from '../acceptance/syntax.ts';
import { parseSource } from '../../repair/syntax/parse.ts';
import { sitesOf, type Site } from '../../repair/syntax/walk.ts';
import type { Edit, Rewriting } from './edit.ts';

/** One rewriting may make room for another. */
const MAX_ROUNDS = 40;

/** A text after rewritings, until nothing is left to rewrite; the text itself if it cannot be parsed. */
export function plainText(file: string, text: string, rewritings: readonly Rewriting[]): string {
  let plain = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = rewritten(file, plain, rewritings);
    if (next === plain) return plain;
    plain = next;
  }
  return plain;
}

function rewritten(file: string, text: string, rewritings: readonly Rewriting[]): string {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return text;
  const sites = sitesOf(parsed.tree);
  const declared = new Map<string, number>();
  const names = [...parsed.tree.program.body.flatMap(importedAt), ...sites.flatMap(namesAt)];
  for (const name of names) declared.set(name, (declared.get(name) ?? 0) + 1);
  const source = { text, sites, declared };
  for (const rewrite of rewritings) {
    const edits = rewrite(source);
    if (edits.length > 0) return applied(text, edits);
  }
  return text;
}

/** Applies edits; of two that overlap, the one that begins first, and the longer one. */
function applied(text: string, edits: readonly Edit[]): string {
  let [result, done] = ['', 0];
  for (const edit of [...edits].sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (edit.from < done) continue;
    result += text.slice(done, edit.from) + edit.text;
    done = edit.to;
  }
  return result + text.slice(done);
}

/** The names that a statement imports. */
function importedAt(node: Node): string[] {
  return node.type === 'ImportDeclaration' ? node.specifiers.map(({ local }) => local.name) : [];
}

/** The names that a node declares. */
function namesAt({ node }: Site): string[] {
  if (node.type === 'VariableDeclarator') return boundNames(node.id);
  if (node.type === 'CatchClause') return node.param ? boundNames(node.param) : [];
  const params = 'params' in node && Array.isArray(node.params) ? node.params : [];
  const own = 'id' in node && node.id?.type === 'Identifier' ? [node.id.name] : [];
  return [...own, ...params.flatMap((param) => boundNames(param))];
}
