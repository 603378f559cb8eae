import type { ClassBody, ClassMethod, Node, Program } from '@babel/types';
import { endOf, parseSource, startOf } from '../../repair/syntax/parse.ts';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import { boundNames } from '../acceptance/syntax.ts';
import { changesImports, namesOnly } from './changed-imports.ts';
import { changedWords } from './changed-words.ts';
import { lineStarts } from './changed-source.ts';
import { movesImports, takesNames } from './names-in-use.ts';
import type { RevertedBlock } from './reverted-blocks.ts';
import { actsWhereItStands } from './run-when-declared.ts';

/**
 * Whether a block changes nothing that ran before: a new file, imports of names, new functions, classes, methods and
 * constants, and old ones that nothing in the file names any more. Such a block needs no test of its own.
 */
export function isHarmless(reverted: RevertedBlock): boolean {
  return (
    isNewFile(reverted) ||
    (changesImports(reverted.source.parsed, reverted.edit) &&
      !movesImports(reverted) &&
      !takesNames(reverted)) ||
    (addsDeclarations(reverted) && !takesNames(reverted)) ||
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
  const own = codeLines.filter((line) => block.line <= line && line < block.line + block.lines);
  const isInside = (node: Node): boolean => start <= startOf(node) && endOf(node) <= end;
  const declared = declarationsIn(parsed.tree.program).filter(isInside);
  // Another statement may stand on the line of a declaration.
  const isDeclared = (node: Node): boolean =>
    endOf(node) <= start ||
    end <= startOf(node) ||
    declared.includes(node) ||
    (!isInside(node) && membersOf(node)?.every(isDeclared) === true);
  return own.length > 0 && parsed.tree.program.body.every(isDeclared);
}

/** The members of a class that is declared. */
function membersOf(statement: Node): Node[] | undefined {
  const inner = declaredBy(statement);
  return inner?.type === 'ClassDeclaration' ? inner.body.body : undefined;
}

function declaredBy(statement: Node): Node | null | undefined {
  return statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
    ? statement.declaration
    : statement;
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
    const inner = declaredBy(statement);
    if (inner?.type === 'FunctionDeclaration' || namesOnly(statement)) return [statement];
    if (inner?.type === 'ClassDeclaration')
      return inner.superClass ? [] : [...(isInert(inner) ? [statement] : []), ...membersIn(inner.body)];
    return inner?.type === 'VariableDeclaration' && isInert(inner) ? [statement] : [];
  });
}

/** Members that the language itself calls. */
const CALLED = /^(constructor|then|toString|toJSON|valueOf)$/;

function membersIn({ body }: ClassBody): Node[] {
  return body.filter(
    (member) =>
      member.type === 'ClassMethod' &&
      !actsWhereItStands(member) &&
      member.kind === 'method' &&
      isOnly(member, body) &&
      !(member.key.type === 'Identifier' && CALLED.test(member.key.name)),
  );
}

/** Whether no other member of the class has the same name: the later one would take its place. */
function isOnly(member: ClassMethod, body: ClassBody['body']): boolean {
  const nameOf = (node: Node): string | undefined =>
    'key' in node && (node.key.type === 'Identifier' || node.key.type === 'StringLiteral')
      ? 'name' in node.key
        ? node.key.name
        : node.key.value
      : undefined;
  return body.every((other) => other === member || nameOf(other) !== nameOf(member));
}

/** A declaration that runs nothing but `require` when it is reached. */
function isInert(node: Node): boolean {
  if (node.type === 'FunctionDeclaration') return true;
  if (node.type === 'ClassDeclaration') return !node.superClass && !actsWhereItStands(node);
  if (node.type !== 'VariableDeclaration' || actsWhereItStands({ ...node, declarations: [] })) return false;
  return node.declarations.every(
    ({ id, init }) => !actsWhereItStands(id) && (!init || isRequire(init) || !actsWhereItStands(init)),
  );
}

function isRequire(init: Node): boolean {
  const isMember = init.type === 'MemberExpression' && !init.computed;
  const call = isMember ? init.object : init;
  return (
    call.type === 'CallExpression' &&
    call.callee.type === 'Identifier' &&
    call.callee.name === 'require' &&
    call.arguments.length === 1 &&
    call.arguments[0]?.type === 'StringLiteral'
  );
}
