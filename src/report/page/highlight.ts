import { common, createLowlight, type CodeNode, type Lowlight } from './assets/lowlight.js';

/** A part of a line of code with its kind; null for text without a colour. */
export interface CodeRun {
  readonly kind: CodeKind | null;
  readonly text: string;
}

/** Kinds with a colour of their own. */
export type CodeKind = 'word' | 'text' | 'name' | 'number' | 'note';

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescript',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  json: 'json',
  css: 'css',
  scss: 'scss',
  less: 'less',
  html: 'xml',
  svg: 'xml',
  xml: 'xml',
  vue: 'xml',
  md: 'markdown',
  py: 'python',
  rb: 'ruby',
  go: 'go',
  rs: 'rust',
  java: 'java',
  kt: 'kotlin',
  swift: 'swift',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  hpp: 'cpp',
  cs: 'csharp',
  php: 'php',
  lua: 'lua',
  sql: 'sql',
  sh: 'bash',
  bash: 'bash',
  yml: 'yaml',
  yaml: 'yaml',
  toml: 'ini',
  ini: 'ini',
  graphql: 'graphql',
};

const KINDS: readonly (readonly [RegExp, CodeKind])[] = [
  [/comment|quote|meta|deletion/, 'note'],
  [/string|regexp|char|symbol|link/, 'text'],
  [/number|literal|bullet/, 'number'],
  [/keyword|built_in|tag|selector|operator/, 'word'],
  [/title|type|attr|property|variable|section|name|params|class|function/, 'name'],
];

/** Longer texts are not highlighted, because a grammar could take seconds. */
const MAX_CHARS = 200_000;

let lowlight: Lowlight | undefined;

/** Splits lines of code into highlighted runs; one run per line if the language is unknown. */
export function highlightLines(path: string, lines: readonly string[]): CodeRun[][] {
  const language = LANGUAGES[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''];
  const text = lines.join('\n');
  if (language === undefined || text.length > MAX_CHARS)
    return lines.map((line) => [{ kind: null, text: line }]);
  lowlight ??= createLowlight(common);
  const found: CodeRun[][] = [[]];
  collect(lowlight.highlight(language, text), null, found);
  return found;
}

/** Adds the text of a node to the last line, starting a new line at each line break. */
function collect(node: CodeNode, kind: CodeKind | null, lines: CodeRun[][]): void {
  if (node.type === 'text') {
    for (const [index, text] of node.value.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)!.push({ kind, text });
    }
    return;
  }
  const own = node.type === 'element' ? (kindOf(node.properties.className) ?? kind) : kind;
  for (const child of node.children) collect(child, own, lines);
}

function kindOf(names: unknown): CodeKind | undefined {
  const name = Array.isArray(names) ? names.join(' ') : '';
  return KINDS.find(([pattern]) => pattern.test(name))?.[1];
}
