import type { Node } from '@babel/types';
import { memberOf } from '../acceptance/syntax.ts';
import { atEachSite, shown, type Rewriting } from './edit.ts';

/** Members of `node:vm` that run a text as code. */
const RUNNERS = new Set(['runInNewContext', 'runInThisContext', 'runInContext', 'compileFunction', 'Script']);

/** `runInNewContext(a)` of `node:vm` becomes `eval(a)`, and `new Script(a)` as well. */
export const withEval = atEachSite(({ node }, source) => {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined;
  const { callee } = node;
  const name = callee.type === 'Identifier' ? callee.name : memberOf(callee)?.name;
  const [code] = node.arguments;
  const isRunner = name !== undefined && RUNNERS.has(name) && /['"](?:node:)?vm['"]/.test(source.text);
  return isRunner && code !== undefined ? `eval(${shown(source, code)})` : undefined;
});

/** Functions that load a module. */
const LOADERS = new Set(['getBuiltinModule', 'require', 'import']);

/** Before `process.getBuiltinModule('a')`, `require('a')` and `import('a')` the file imports `a`. */
export const withImports: Rewriting = ({ sites, text }) =>
  sites.flatMap(({ node }) => {
    if (node.type !== 'CallExpression' && node.type !== 'ImportExpression') return [];
    const name = node.type === 'ImportExpression' ? 'import' : loaderOf(node.callee);
    const path = node.type === 'ImportExpression' ? node.source : node.arguments[0];
    if (name === undefined || !LOADERS.has(name) || path?.type !== 'StringLiteral') return [];
    const plain = `import ${JSON.stringify(path.value)};\n`;
    return text.includes(plain) ? [] : [{ from: 0, to: 0, text: plain }];
  });

function loaderOf(callee: Node): string | undefined {
  if (callee.type === 'Import') return 'import';
  return callee.type === 'Identifier' ? callee.name : memberOf(callee)?.name;
}
