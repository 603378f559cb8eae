import type { ClassBody, Node, Program } from '@babel/types';
import { endOf, parseSource, startOf } from '../../repair/syntax/parse.ts';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import { boundNames, walk } from '../acceptance/syntax.ts';
import { changesImports, namesOnly } from './changed-imports.ts';
import { changedWords } from './changed-words.ts';
import { lineStarts } from './changed-source.ts';
import type { RevertedBlock } from './reverted-blocks.ts';

/**
 * Whether a block changes nothing that ran before: a new file, imports of names, new functions, classes, methods and
 * constants, and old ones that nothing in the file names any more. Such a block needs no test of its own.
 */
export function isHarmless(reverted: RevertedBlock): boolean {
  return (
    isNewFile(reverted) ||
    changesImports(reverted.source.parsed, reverted.edit) ||
    addsDeclarations(reverted) ||
    removesUnnamed(reverted)
  );
}

/** Whether a block changes the same words in the same way as one of the others, such as one fault in two places. */
export function isRepeated(reverted: RevertedBlock, others: readonly RevertedBlock[]): boolean {
  const own = wordsOf(reverted);
  return own !== '[]' && others.some((other) => other !== reverted && wordsOf(other) === own);
}

function wordsOf({ source: { parsed }, block }: RevertedBlock): string {
  const lines = parsed.text.split('\n').slice(block.line - 1, block.line - 1 + block.lines);
  return JSON.stringify(changedWords(block.before.join('\n'), lines.join('\n')));
}

function isNewFile({ source: { parsed }, block }: RevertedBlock): boolean {
  const lines = parsed.text.trimEnd().split('\n').length;
  return block.before.length === 0 && block.line === 1 && block.lines >= lines;
}

function addsDeclarations({ source: { parsed, codeLines }, block }: RevertedBlock): boolean {
  if (block.before.some((line) => line.trim() !== '')) return false;
  const starts = lineStarts(parsed.text);
  const [start, end] = [starts[block.line - 1]!, starts[block.line - 1 + block.lines] ?? parsed.text.length];
  const declared = declarationsIn(parsed.tree.program).filter(
    (node) => start <= startOf(node) && endOf(node) <= end,
  );
  const own = codeLines.filter((line) => block.line <= line && line < block.line + block.lines);
  const isDeclared = (line: number): boolean =>
    declared.some(({ loc }) => loc!.start.line <= line && line <= loc!.end.line);
  return own.length > 0 && own.every(isDeclared);
}

function removesUnnamed({ source: { file, parsed }, block }: RevertedBlock): boolean {
  const starts = lineStarts(parsed.text);
  const now = parsed.text.slice(starts[block.line - 1], starts[block.line - 1 + block.lines]);
  const before = parseSource(file, block.before.join('\n'));
  if (block.lines > 0 && now.trim() !== '') return false;
  if ('problem' in before || before.errors.length > 0) return false;
  const { body } = before.tree.program;
  return body.length > 0 && body.every((node) => isInert(node) && namesOf(node).every(isUnnamed));

  function isUnnamed(name: string): boolean {
    return !new RegExp(`(?<![\\w$])${escapeRegExp(name)}(?![\\w$])`).test(parsed.text);
  }
}

/** The names that a declaration gives. */
function namesOf(node: Node): string[] {
  if (node.type === 'VariableDeclaration') return node.declarations.flatMap(({ id }) => boundNames(id));
  const isNamed = node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration';
  return isNamed && node.id ? [node.id.name] : [];
}

/** Declarations of a module and members of its classes, which do nothing before somebody names them. */
function declarationsIn({ body }: Program): Node[] {
  return body.flatMap((statement): Node[] => {
    const inner =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
        ? statement.declaration
        : statement;
    if (inner?.type === 'FunctionDeclaration' || namesOnly(statement)) return [statement];
    if (inner?.type === 'ClassDeclaration')
      return inner.superClass ? [] : [statement, ...membersIn(inner.body)];
    return inner?.type === 'VariableDeclaration' && isInert(inner) ? [statement] : [];
  });
}

/** Members that the language itself calls. */
const CALLED = /^(constructor|then|toString|toJSON|valueOf)$/;

function membersIn({ body }: ClassBody): Node[] {
  return body.filter(
    (member) =>
      member.type === 'ClassMethod' &&
      !member.computed &&
      member.kind === 'method' &&
      !(member.key.type === 'Identifier' && CALLED.test(member.key.name)),
  );
}

/** A declaration that runs nothing but `require` when it is reached. */
function isInert(node: Node): boolean {
  if (node.type === 'FunctionDeclaration') return true;
  if (node.type === 'ClassDeclaration') return !node.superClass;
  if (node.type !== 'VariableDeclaration') return false;
  return node.declarations.every(({ init }) => !init || isRequire(init) || isPlain(init));
}

function isPlain(init: Node): boolean {
  let does = false;
  walk(init, ({ type }, parents) => {
    const isInside = parents.some((it) => /Function/.test(it.type));
    if (!isInside && ACTS.test(type)) does = true;
  });
  return !does;
}

const ACTS = /Call|^(New|Await|Yield|Import|Assignment|Update|TaggedTemplate)Expression$/;

function isRequire(init: Node): boolean {
  const call = init.type === 'MemberExpression' ? init.object : init;
  return (
    call.type === 'CallExpression' &&
    call.callee.type === 'Identifier' &&
    call.callee.name === 'require' &&
    call.arguments[0]?.type === 'StringLiteral'
  );
}
