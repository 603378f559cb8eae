import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';

/** A regular expression literal of the source. */
export interface SourceRegex {
  /** File relative to the package, and line: `src/util/redact.ts:12`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

const ROOT = join(import.meta.dirname, '../../..');

/** All regular expression literals of a folder, in the order of the files. */
export function sourceRegexes(folder: string): SourceRegex[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .sort()
    .flatMap((file) => regexesIn(join(folder, file)));
}

function regexesIn(file: string): SourceRegex[] {
  const found: SourceRegex[] = [];
  const { program } = parse(readFileSync(join(ROOT, file), 'utf8'), {
    sourceType: 'module',
    plugins: ['typescript'],
  });
  visit(program, (node) => {
    if (node['type'] !== 'RegExpLiteral') return;
    const { line } = (node['loc'] as { start: { line: number } }).start;
    found.push({
      place: `${file}:${line}`,
      source: node['pattern'] as string,
      flags: node['flags'] as string,
    });
  });
  return found;
}

function visit(node: unknown, see: (node: Readonly<Record<string, unknown>>) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) return node.forEach((item) => visit(item, see));
  const fields = node as Readonly<Record<string, unknown>>;
  if (typeof fields['type'] === 'string') see(fields);
  for (const [name, value] of Object.entries(fields)) {
    if (name !== 'loc' && name !== 'errors') visit(value, see);
  }
}
