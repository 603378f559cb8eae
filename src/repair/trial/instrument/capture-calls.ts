import type { Node } from '@babel/types';
import { functionsOf, type FunctionInfo } from '../../syntax/functions.ts';
import { endOf, type ParsedSource } from '../../syntax/parse.ts';
import type { Wrapping } from '../../syntax/wrappings.ts';

/**
 * Wrappings that make the outermost functions around the given offsets report each call, with the function and its
 * arguments, to `__ralphEnter`. Generators, getters, constructors, functions without a name in the file and arrow
 * functions with destructured parameters are left out: they cannot be called again with the same arguments.
 */
export function captureCalls(parsed: ParsedSource, offsets: readonly number[]): Wrapping[] {
  return functionsOf(parsed)
    .filter(({ depth, start, end }) => depth === 0 && offsets.some((at) => start <= at && at < end))
    .flatMap((info) => wrappingOf(info, parsed.file));
}

function wrappingOf(info: FunctionInfo, file: string): Wrapping[] {
  const { body, expressionBodied, kind, name } = info;
  const args = argumentsOf(info);
  const isCallable = kind === 'function' || kind === 'arrow' || kind === 'method';
  if (!isCallable || info.isGenerator || args === undefined || !/^[A-Za-z_$][\w$]*$/.test(name)) return [];
  const self = kind === 'method' ? 'this' : 'undefined';
  const callee = kind === 'method' ? `this?.${name}` : `typeof ${name}==='function'?${name}:undefined`;
  const call = `globalThis.__ralphEnter?.(${JSON.stringify(`${file}:${name}`)},${callee},${self},${args})`;
  if (expressionBodied) return [{ ...body, before: `(${call},(`, after: '\n))' }];
  const { directives } = info.node.body as { directives?: Node[] };
  const last = directives?.at(-1);
  const start = last === undefined ? body.start + 1 : endOf(last);
  return [{ start, end: start, before: `;${call};`, after: '' }];
}

/** The list of arguments as source text. An arrow function has no `arguments`, so its parameters are named. */
function argumentsOf({ kind, node }: FunctionInfo): string | undefined {
  if (kind !== 'arrow') return '[...arguments]';
  const names = (node.params as Node[]).map((param) => {
    if (param.type === 'Identifier') return param.name;
    if (param.type === 'AssignmentPattern' && param.left.type === 'Identifier') return param.left.name;
    if (param.type === 'RestElement' && param.argument.type === 'Identifier')
      return `...${param.argument.name}`;
    return undefined;
  });
  return names.includes(undefined) ? undefined : `[${names.join(',')}]`;
}
