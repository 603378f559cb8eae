import type { Node } from '@babel/types';
import { boundNames, memberOf } from '../acceptance/syntax.ts';
import { endOf, startOf } from '../../repair/syntax/parse.ts';
import { bare, type Site } from '../../repair/syntax/walk.ts';
import { importedNames } from '../surroundings/imported-names.ts';
import { isDeclared, isKey } from '../surroundings/names.ts';
import { replaced, shown, type Edit, type PlainSource } from './edit.ts';

/** A name that stands for another expression, and the part of the text that declares it. */
interface Alias {
  readonly name: string;
  readonly meaning: string;
  readonly declaration: Edit;
}

/** `const self = this; self.x` becomes `this.x`: one name at a time, since one may stand for another. */
export function withoutAliases(source: PlainSource): Edit[] {
  for (const { name, meaning, declaration } of aliasesIn(source)) {
    if (source.declared.get(name) !== 1) continue;
    const uses = source.sites.filter((site) => isUseOf(site, name, declaration));
    if (uses.some(({ parent }) => parent?.node.type === 'ExportSpecifier')) continue;
    return [declaration, ...uses.map((site) => useOf(site, meaning))];
  }
  return [];
}

function isUseOf(site: Site, name: string, { from, to }: Edit): boolean {
  const { node } = site;
  if (node.type !== 'Identifier' || node.name !== name || isKey(site) || isDeclared(site)) return false;
  return startOf(node) < from || endOf(node) > to;
}

function useOf({ node, key, parent }: Site, meaning: string): Edit {
  const isShorthand = key === 'value' && parent?.node.type === 'ObjectProperty' && parent.node.shorthand;
  return isShorthand
    ? replaced(parent.node, `${(node as { name: string }).name}: ${meaning}`)
    : replaced(node, meaning);
}

function aliasesIn(source: PlainSource): Alias[] {
  return [...source.sites.flatMap((site) => ofConstant(site, source)), ...ofConsole(source)];
}

function ofConstant({ node, parent }: Site, source: PlainSource): Alias[] {
  if (node.type !== 'VariableDeclarator' || !node.init || parent?.node.type !== 'VariableDeclaration')
    return [];
  const { node: declaration } = parent;
  const isAlone =
    declaration.declarations.length === 1 && !boundNames(node.id).some((it) => isSet(it, source));
  if (!isAlone || parent.parent?.node.type === 'ExportNamedDeclaration') return [];
  if (/^For(In|Of)?Statement$/.test(parent.parent?.node.type ?? '') || !isPlain(node.init)) return [];
  const meaning = shown(source, bare(node.init));
  if (node.id.type === 'Identifier')
    return [{ name: node.id.name, meaning, declaration: replaced(declaration, '') }];
  if (node.id.type !== 'ObjectPattern') return [];
  const [property, ...others] = node.id.properties;
  if (property?.type !== 'ObjectProperty' || property.computed || property.value.type !== 'Identifier')
    return [];
  const rest = others.map((it) => shown(source, it)).join(', ');
  const left = others.length === 0 ? '' : `const { ${rest} } = ${meaning};`;
  const member = `${meaning}.${shown(source, property.key)}`;
  return [{ name: property.value.name, meaning: member, declaration: replaced(declaration, left) }];
}

/** Whether a variable gets another value somewhere. */
function isSet(name: string, { sites }: PlainSource): boolean {
  return sites.some(({ node, key, parent }) => {
    if (node.type !== 'Identifier' || node.name !== name) return false;
    const { type } = parent?.node ?? {};
    return (
      type === 'UpdateExpression' ||
      (key === 'left' && type !== 'BinaryExpression' && type !== 'LogicalExpression')
    );
  });
}

/** `import out from 'node:console'` names the console of every module. */
function ofConsole({ sites }: PlainSource): Alias[] {
  const [file] = sites;
  if (file?.node.type !== 'File') return [];
  const { body } = file.node.program;
  const declarationOf = (name: string): Node | undefined =>
    body.find(
      (it) => it.type === 'ImportDeclaration' && it.specifiers.some(({ local }) => local.name === name),
    );
  return [...importedNames(body, [])].flatMap(([name, { module, member }]): Alias[] => {
    const declaration = declarationOf(name);
    if (!/^(node:)?console$/.test(module) || member === 'Console' || declaration === undefined) return [];
    const meaning = member === undefined ? 'console' : `console.${member}`;
    return [{ name, meaning, declaration: replaced(declaration, '') }];
  });
}

/** A name, `this`, a member of them, or a literal. */
function isPlain(init: Node): boolean {
  const node = bare(init);
  if (/^(Identifier|ThisExpression|(Numeric|String|Boolean|Null|BigInt)Literal)$/.test(node.type))
    return true;
  if (node.type === 'UnaryExpression') return isPlain(node.argument);
  const member = memberOf(node);
  return member !== undefined && isPlain(member.object);
}
