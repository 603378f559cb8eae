import type { Node } from '@babel/types';
import { parsedOf, type Parsed } from './parse-source.ts';
import { annotationOf, isAny, visit } from './type-syntax.ts';

/** Number of annotations that became `any` since the base, by name: several functions may have a parameter of one name. */
export function lostTypes(path: string, now: Parsed, base: string): number {
  const after = annotationsIn(now);
  const isAnyThere = [...after.values()].some(({ any }) => any > 0);
  const before = isAnyThere && base !== '' ? parsedOf(path, base) : undefined;
  if (before === undefined) return 0;
  return [...annotationsIn(before)].reduce((sum, [name, then]) => {
    const more = (after.get(name)?.any ?? 0) - then.any;
    return sum + Math.max(0, Math.min(more, then.typed));
  }, 0);
}

interface Annotations {
  any: number;
  typed: number;
}

/** Numbers of annotations by the annotated name. */
function annotationsIn({ root }: Parsed): Map<string, Annotations> {
  const found = new Map<string, Annotations>();
  visit(root, (node) => {
    const name = annotatedName(node);
    const annotation = annotationOf(node);
    if (name === undefined || annotation === undefined) return;
    const own = found.get(name) ?? { any: 0, typed: 0 };
    own[isAny(annotation) ? 'any' : 'typed']++;
    found.set(name, own);
  });
  return found;
}

/** Name of an annotated variable or parameter, or of a function followed by `()` for its result type. */
function annotatedName(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  const isNamed = node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction';
  if (isNamed && node.id) return `${node.id.name}()`;
  const isMember =
    node.type === 'ClassProperty' || node.type === 'TSPropertySignature' || node.type === 'ClassMethod';
  if (!isMember || node.key.type !== 'Identifier') return undefined;
  return node.type === 'ClassMethod' ? `.${node.key.name}()` : `.${node.key.name}`;
}
