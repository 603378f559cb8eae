import { extname } from 'node:path';
import { parse, type ParserOptions, type ParserPlugin } from '@babel/parser';
import type { File, Node } from '@babel/types';

/** A file's syntax tree. Offsets in it are 0-based UTF-16 units of `text`. */
export interface ParsedSource {
  /** Relative to the repository's root. */
  readonly file: string;
  readonly text: string;
  readonly tree: File;
  /** Errors that the parser got over, such as a name declared twice. */
  readonly errors: readonly string[];
}

/** Why a file has no syntax tree, as one line. */
export interface ParseProblem {
  readonly problem: string;
}

/**
 * Parses JavaScript, TypeScript and JSX by the file's extension. Parentheses are nodes of their own, so that a
 * node's range is exactly its text. Never throws.
 */
export function parseSource(file: string, text: string): ParsedSource | ParseProblem {
  try {
    const tree = parse(text, parserOptions(file));
    return { file, text, tree, errors: (tree.errors ?? []).map((error) => String(error.reasonCode)) };
  } catch (error) {
    return { problem: `${file} does not parse: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Options of `@babel/parser` for a file, tolerant of what only one context allows. */
export function parserOptions(file: string): ParserOptions {
  return {
    sourceType: 'unambiguous',
    errorRecovery: true,
    createParenthesizedExpressions: true,
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowSuperOutsideMethod: true,
    allowNewTargetOutsideFunction: true,
    allowUndeclaredExports: true,
    plugins: pluginsFor(extname(file)),
  };
}

/** 0-based offset of a node's first unit. */
export function startOf(node: Node): number {
  return node.start!;
}

/** Offset after a node's last unit. */
export function endOf(node: Node): number {
  return node.end!;
}

function pluginsFor(extension: string): ParserPlugin[] {
  const shared: ParserPlugin[] = ['decoratorAutoAccessors', 'explicitResourceManagement'];
  switch (extension) {
    case '.ts':
    case '.mts':
    case '.cts':
      return ['typescript', 'decorators-legacy', ...shared];
    case '.tsx':
      return ['typescript', 'jsx', 'decorators-legacy', ...shared];
    default:
      return ['jsx', ['decorators', { allowCallParenthesized: true }], ...shared];
  }
}
