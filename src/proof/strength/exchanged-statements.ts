import type { Node, Statement } from '@babel/types';
import { applyEdits, type TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, parseSource, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { inStatementList, isLoneBody, sitesOf } from '../../repair/syntax/walk.ts';
import { constantOf } from '../spelling/constants.ts';
import { changesCode, revertOf, type ChangedSource } from './changed-source.ts';
import { partOf } from './added-parts.ts';
import { withImports } from './changed-imports.ts';
import type { RevertedBlock } from './reverted-blocks.ts';

/** Most statements of a change that are put back. */
const MAX_STATEMENTS = 8;

/**
 * The statements that a change puts in the place of others in a block with more of them, each with the edit that puts the old
 * one back: the declaration of one name, one thrown error, one awaited call. A block is as long as its neighbouring lines are
 * changed, and the need of one line shows nothing of the next one.
 */
export function exchangedStatements(sources: readonly ChangedSource[]): RevertedBlock[] {
  return sources.flatMap(exchangedIn).slice(0, MAX_STATEMENTS);
}

function exchangedIn(source: ChangedSource): RevertedBlock[] {
  const { file, parsed, blocks } = source;
  return blocks.flatMap((block) => {
    if (block.lines === 0 || block.before.length === 0) return [];
    const own = revertOf(source, block);
    const base = parseSource(file, applyEdits(parsed.text, [own]));
    if ('problem' in base || base.errors.length > 0) return [];
    const was = statementsIn(base, own.start, own.start + own.replacement.length);
    const now = statementsIn(parsed, own.start, own.end);
    const whole = parsed.text.slice(own.start, own.end).trim();
    return [...now].flatMap(([head, statement]) => {
      const old = was.get(head);
      if (old === undefined || statement === undefined) return [];
      const replacement = textOf(base, old);
      const edit: TextEdit = { start: startOf(statement), end: endOf(statement), replacement };
      const text = textOf(parsed, statement);
      if (text === replacement || text === whole || isSameValue(base, old, parsed, statement)) return [];
      if (!changesCode(parsed, [{ ...edit, file }])) return [];
      const part = partOf(source, edit);
      if (part === undefined) return [];
      const { line } = statement.loc!.start;
      const lines = statement.loc!.end.line - line + 1;
      const { added: _, ...rest } = part;
      const edits = withImports(source, rest.edit);
      return [
        {
          ...rest,
          block: { file, line, lines, before: replacement.split('\n') },
          candidate: { ...rest.candidate, edits, signature: `${file}: exchanged at ${edit.start}` },
        },
      ];
    });
  });
}

/** Statements within a range by what they are for; undefined for two that are for the same. */
function statementsIn(parsed: ParsedSource, start: number, end: number): Map<string, Node | undefined> {
  const found = new Map<string, Node | undefined>();
  for (const site of sitesOf(parsed.tree.program)) {
    const { node } = site;
    if (startOf(node) < start || endOf(node) > end || !(inStatementList(site) || isLoneBody(site))) continue;
    const head = headOf(node as Statement, parsed.text);
    if (head !== undefined) found.set(head, found.has(head) ? undefined : node);
  }
  return found;
}

/** What a statement is for: the name that it declares or sets, the function that it calls, an error that it throws. */
function headOf(node: Statement, text: string): string | undefined {
  switch (node.type) {
    case 'VariableDeclaration': {
      const [first, second] = node.declarations;
      return first?.id.type === 'Identifier' && second === undefined ? `declare ${first.id.name}` : undefined;
    }
    case 'ThrowStatement':
      return 'throw';
    case 'ExpressionStatement': {
      const { expression } = node;
      if (expression.type === 'AssignmentExpression')
        return `set ${text.slice(startOf(expression.left), endOf(expression.left))}`;
      const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
      if (call.type !== 'CallExpression') return undefined;
      return `call ${text.slice(startOf(call.callee), endOf(call.callee))}`;
    }
    default:
      return undefined;
  }
}

function textOf(parsed: ParsedSource, node: Node): string {
  return parsed.text.slice(startOf(node), endOf(node));
}

/** Whether both declare the same number or text, in whatever way it is computed from other constants of the module. */
function isSameValue(base: ParsedSource, old: Node, now: ParsedSource, own: Node): boolean {
  const [was, is] = [valueOf(base, old), valueOf(now, own)];
  return was !== undefined && was === is;
}

function valueOf(parsed: ParsedSource, node: Node, depth = 0): number | string | boolean | undefined {
  if (node.type !== 'VariableDeclaration' || depth > 10) return undefined;
  const init = node.declarations[0]?.init;
  if (!init) return undefined;
  const names = new Map<string, Node>();
  for (const statement of parsed.tree.program.body)
    if (statement.type === 'VariableDeclaration' && statement !== node)
      for (const { id } of statement.declarations)
        if (id.type === 'Identifier' && statement.declarations.length === 1) names.set(id.name, statement);
  const text = textOf(parsed, init).replaceAll(/(?<![\w$.])[A-Za-z_$][\w$]*/g, (name) => {
    const declared = names.get(name);
    const value = declared === undefined ? undefined : valueOf(parsed, declared, depth + 1);
    return value === undefined ? name : JSON.stringify(value);
  });
  const plain = parseSource('a.ts', `(${text});`);
  if ('problem' in plain) return undefined;
  const [statement] = plain.tree.program.body;
  return statement?.type === 'ExpressionStatement' ? constantOf(statement.expression) : undefined;
}
