import type { Node } from '@babel/types';
import { memberOf, parseText, specifierOf, walk } from './syntax.ts';

/** Names that a test file reads from one relatively imported module. */
export interface ReadNames {
  /** As it is in the test file, such as `../src/text.js`. */
  readonly specifier: string;
  /** `default` for a default import. */
  readonly names: ReadonlySet<string>;
  /** By `require`. */
  readonly isRequired: boolean;
}

/** The names that a test file reads from each relative import. Throws SyntaxError. */
export function namesRead(text: string, path: string): ReadNames[] {
  const body = parseText(text, path);
  const found = new Map<string, { names: Set<string>; isRequired: boolean }>();
  const whole = new Map<string, string>();
  const entry = (specifier: string, isRequired = false): Set<string> => {
    const known = found.get(specifier) ?? { names: new Set(), isRequired };
    found.set(specifier, known);
    return known.names;
  };
  const visit = (node: Node): void => {
    if (node.type === 'ImportDeclaration' && node.importKind !== 'type' && isRelative(node.source.value))
      for (const item of node.specifiers) {
        const names = entry(node.source.value);
        if (item.type === 'ImportNamespaceSpecifier') whole.set(item.local.name, node.source.value);
        else if (item.type === 'ImportDefaultSpecifier') names.add('default');
        else names.add(item.imported.type === 'Identifier' ? item.imported.name : item.imported.value);
      }
    if (node.type !== 'VariableDeclarator' || !node.init) return;
    const call = node.init.type === 'AwaitExpression' ? node.init.argument : node.init;
    const specifier = specifierOf(call);
    if (specifier === undefined || !isRelative(specifier)) return;
    const names = entry(specifier, call.type === 'CallExpression' && call.callee.type === 'Identifier');
    if (node.id.type === 'Identifier') whole.set(node.id.name, specifier);
    if (node.id.type === 'ObjectPattern')
      for (const property of node.id.properties)
        if (property.type === 'ObjectProperty' && property.key.type === 'Identifier')
          names.add(property.key.name);
  };
  for (const top of body) walk(top, visit);
  for (const top of body)
    walk(top, (node) => {
      const member = memberOf(node);
      const specifier = member?.object.type === 'Identifier' ? whole.get(member.object.name) : undefined;
      if (specifier !== undefined) entry(specifier).add(member!.name);
    });
  return [...found].map(([specifier, { names, isRequired }]) => ({ specifier, names, isRequired }));
}

function isRelative(specifier: string): boolean {
  return /^\.{1,2}\//.test(specifier);
}
