import { parseSource, type ParsedSource } from './parse.ts';
import { sitesOf, type Site } from './walk.ts';

/** Comments by which tools decide how code is compiled, loaded, run or checked. */
const PRAGMA =
  /@(?:jsx\w*|jest-|vitest-|vite-|ts-|flow|noflow|babel|swc|emotion|__\w+__)|#__\w+__|[#@]\s*source\w*URL|\b(?:webpack|turbopack)\w+\s*:|\b(?:eslint|biome|oxlint|tslint|jshint|jslint|istanbul|nyc|c8|v8|stryker|node:coverage)\b/i;

/**
 * True for two texts of a file that differ only in layout, parentheses, quotes and comments that no tool reads; false for one that
 * does not parse. Types count: some test runners check them.
 */
export function isSameCode(file: string, one: string, other: string): boolean {
  const [first, second] = [parseSource(file, one), parseSource(file, other)];
  if ('problem' in first || 'problem' in second) return false;
  return syntaxOf(first) === syntaxOf(second) && pragmasOf(first) === pragmasOf(second);
}

function syntaxOf({ tree }: ParsedSource): string {
  return JSON.stringify(tree.program, (key, value: unknown) =>
    POSITIONS.has(key) ? undefined : withoutParentheses(value),
  );
}

function withoutParentheses(value: unknown): unknown {
  const { type, expression } = (value ?? {}) as { type?: unknown; expression?: unknown };
  return type === 'ParenthesizedExpression' ? withoutParentheses(expression) : value;
}

function pragmasOf({ tree }: ParsedSource): string {
  const texts = (tree.comments ?? []).map(({ value }) => value);
  return texts.filter((text) => PRAGMA.test(text)).join('\n');
}

/** Text that is equal for programs that differ only in comments, layout, parentheses, quotes or types. */
export function fingerprintOf({ tree }: ParsedSource): string {
  const imports = tree.program.body.flatMap((node) => {
    const isImport = node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration';
    return isImport && !(node.type === 'ImportDeclaration' && node.importKind === 'type')
      ? [JSON.stringify(node, (key, value: unknown) => (POSITIONS.has(key) ? undefined : value))]
      : [];
  });
  const directives = tree.program.directives.map(({ value }) => value.value);
  const sites = sitesOf(tree.program).filter(({ node }) => !WRAPPINGS.has(node.type));
  return [...directives, ...imports, ...sites.map(describe)].join('\n');
}

/** Expressions that are what they contain. */
const WRAPPINGS = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
]);

const POSITIONS = new Set([
  'loc',
  'start',
  'end',
  'extra',
  'range',
  'leadingComments',
  'trailingComments',
  'innerComments',
]);

function describe(site: Site): string {
  const fields = Object.entries(site.node).filter(
    ([key, value]) => !POSITIONS.has(key) && (typeof value !== 'object' || key === 'value'),
  );
  let depth = 0;
  let key = site.key;
  for (let at = site.parent; at !== undefined; at = at.parent) {
    if (WRAPPINGS.has(at.node.type)) key = depth === 0 ? at.key : key;
    else depth++;
  }
  const plain = fields.map(([name, value]) => [
    name,
    typeof value === 'bigint' ? String(value) : valueOf(value),
  ]);
  return `${depth} ${key} ${JSON.stringify(plain)}`;
}

/** Template elements keep their text in an object; other objects are child nodes with sites of their own. */
function valueOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return 'raw' in value ? value : null;
}
