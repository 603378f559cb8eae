import type { Expression, Node, ObjectExpression } from '@babel/types';
import { parse } from '@babel/parser';

/**
 * The value of a module that does nothing but export a literal as its default, comments and types aside: read without
 * running it. Undefined for any other module, which is a program.
 */
export function literalDefault(text: string): unknown {
  try {
    const { body } = parse(text, { sourceType: 'module', plugins: ['typescript'] }).program;
    const [exported, ...others] = body.filter(
      (statement) => !(statement.type === 'ImportDeclaration' && statement.importKind === 'type'),
    );
    if (exported?.type !== 'ExportDefaultDeclaration' || others.length > 0) return undefined;
    return valueOf(exported.declaration);
  } catch {
    return undefined;
  }
}

class NoLiteral extends Error {}

function valueOf(node: Node): unknown {
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return node.value;
    case 'NullLiteral':
      return null;
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return valueOf(node.expression);
    case 'ArrayExpression':
      return node.elements.map((element) => valueOf(element ?? refuse()));
    case 'ObjectExpression':
      return Object.fromEntries(node.properties.map(entryOf));
    default:
      return refuse();
  }
}

function entryOf(property: ObjectExpression['properties'][number]): [string, unknown] {
  if (property.type !== 'ObjectProperty' || property.computed || property.shorthand) return refuse();
  const key = keyOf(property.key as Expression);
  return key === '__proto__' ? refuse() : [key, valueOf(property.value)];
}

function keyOf(key: Expression): string {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'StringLiteral' ? key.value : refuse();
}

function refuse(): never {
  throw new NoLiteral();
}
