import type { ImportDeclaration, Node, Program } from '@babel/types';
import { parseSource } from '../../repair/syntax/parse.ts';
import { boundNames, isLabel, walk } from '../acceptance/syntax.ts';
import type { RevertedBlock } from './reverted-blocks.ts';

/** Names of exports that the language or a loader of modules looks for. */
const AWAITED = /^(?:then|default|__esModule)$/;

/** Whether a block gives its module a name that code of the module used before, or that whoever loads it looks for. */
export function takesNames({ source, block }: RevertedBlock): boolean {
  const { program } = source.parsed.tree;
  const before = new Set(block.before.join('\n').match(/[\w$]+/g));
  const inBlock = (node: Node): boolean =>
    block.line <= node.loc!.start.line && node.loc!.start.line < block.line + block.lines;
  const given = program.body.filter(inBlock).flatMap(namesGiven);
  const fresh = new Set(given.flatMap(({ name }) => (before.has(name) ? [] : [name])));
  if (given.some(({ name, isExported }) => isExported && !before.has(name) && AWAITED.test(name)))
    return true;
  if (fresh.size === 0) return false;
  const isChanged = (line: number): boolean =>
    source.blocks.some((other) => other.line <= line && line < other.line + other.lines);
  let isTaken = false;
  walk(program, (node, parents) => {
    const isName = node.type === 'Identifier' || node.type === 'JSXIdentifier';
    if (!isName || !fresh.has(node.name) || isLabel(node, parents.at(-1))) return;
    if (!isChanged(node.loc!.start.line)) isTaken = true;
  });
  return isTaken;
}

interface Given {
  readonly name: string;
  readonly isExported: boolean;
}

function namesGiven(statement: Node): Given[] {
  if (statement.type === 'ImportDeclaration' && statement.importKind === 'type') return [];
  if (statement.type === 'ImportDeclaration')
    return statement.specifiers.map(({ local }) => ({ name: local.name, isExported: false }));
  if (statement.type === 'ExportDefaultDeclaration') return [{ name: 'default', isExported: true }];
  if (statement.type === 'ExportNamedDeclaration') {
    const own = statement.declaration ? namesGiven(statement.declaration) : [];
    const listed = statement.specifiers.map(({ exported }) =>
      exported.type === 'StringLiteral' ? exported.value : exported.name,
    );
    return [...own.map(({ name }) => name), ...listed].map((name) => ({ name, isExported: true }));
  }
  const declared =
    statement.type === 'VariableDeclaration'
      ? statement.declarations.flatMap(({ id }) => boundNames(id))
      : (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') && statement.id
        ? [statement.id.name]
        : [];
  return declared.map((name) => ({ name, isExported: false }));
}

/** Whether a block of imports takes a name that it keeps from another place than before. */
export function movesImports({ source, block }: RevertedBlock): boolean {
  const before = parseSource(source.file, block.before.join('\n'));
  if ('problem' in before) return false;
  const old = importsIn(before.tree.program);
  return [...importsIn(source.parsed.tree.program)].some(([name, from]) => (old.get(name) ?? from) !== from);
}

/** Where each imported name comes from. */
function importsIn({ body }: Program): Map<string, string> {
  const declarations = body.filter((node): node is ImportDeclaration => node.type === 'ImportDeclaration');
  return new Map(
    declarations.flatMap(({ source, specifiers }) =>
      specifiers.map((specifier): [string, string] => {
        const imported =
          specifier.type === 'ImportSpecifier'
            ? specifier.imported.type === 'StringLiteral'
              ? specifier.imported.value
              : specifier.imported.name
            : specifier.type;
        return [specifier.local.name, `${imported} of ${source.value}`];
      }),
    ),
  );
}
