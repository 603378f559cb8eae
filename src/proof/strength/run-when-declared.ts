import type { Node } from '@babel/types';

/** Expressions that do something, or run code of others. */
const ACTS =
  /Call|^(?:New|Await|Yield|Import|Assignment|Update|TaggedTemplate)Expression$|^JSX(?:Element|Fragment)$/;
const ASIDE =
  /^(?:loc|start|end|extra|errors|\w*Comments|typeAnnotation|returnType|type(?:Parameters|Arguments))$/;

/** Whether a declaration or an expression does something where it stands, and not only when somebody uses it. */
export function actsWhereItStands(node: Node): boolean {
  return (
    ACTS.test(node.type) ||
    (node.type === 'UnaryExpression' && node.operator === 'delete') ||
    (node.type === 'SpreadElement' && node.argument.type !== 'Identifier') ||
    (node.type === 'VariableDeclaration' && /using/.test(node.kind)) ||
    reachedIn(node).some(actsWhereItStands)
  );
}

/** The parts of a node that run when it is reached. */
function reachedIn(node: Node): Node[] {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'TSDeclareFunction':
      return [];
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'TSDeclareMethod':
      return [...keyOf(node), ...decoratorsOf(node), ...node.params.flatMap(decoratorsOf)];
    case 'ClassPrivateMethod':
      return [...decoratorsOf(node), ...node.params.flatMap(decoratorsOf)];
    case 'ClassProperty':
    case 'ClassPrivateProperty':
    case 'ClassAccessorProperty':
      return [...keyOf(node), ...decoratorsOf(node), ...(node.static === true ? valueOf(node) : [])];
    case 'ImportDeclaration':
      return [];
    default:
      return childrenOf(node);
  }
}

/** A decorator is called with what it stands before. */
function decoratorsOf(node: Node): Node[] {
  const found = 'decorators' in node ? (node.decorators ?? []) : [];
  return found.map((it) => ({ ...it, type: 'CallExpression' }) as unknown as Node);
}

function keyOf(node: Node): Node[] {
  return 'computed' in node && node.computed === true && 'key' in node ? [node.key] : [];
}

function valueOf(node: Node): Node[] {
  return 'value' in node && isNode(node.value) ? [node.value] : [];
}

function childrenOf(node: Node): Node[] {
  const own = Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    ASIDE.test(key) || key === 'decorators'
      ? []
      : (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isNode),
  );
  return [...own, ...decoratorsOf(node)];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
