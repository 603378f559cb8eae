import { extname } from 'node:path';
import { parse, type ParserOptions, type ParserPlugin } from '@babel/parser';
import type { File, Node } from '@babel/types';

/** A file's syntax tree. Offsets in it are 0-based UTF-16 units of `text`. */
export interface ParsedSource {
  /** Relative to the repository's root. */
  readonly file: string;
  readonly text: string;
  readonly tree: File;
  /** Reason codes of errors that the parser recovered from, for example `VarRedeclaration`. */
  readonly errors: readonly string[];
}

/** The result for a file that cannot be parsed. */
export interface ParseProblem {
  /** One line with the file and the parser's message. */
  readonly problem: string;
}

/**
 * Parses JavaScript, TypeScript or JSX, depending on the file's extension, and Flow in files that begin with `@flow`. Parentheses are separate nodes, so a
 * node's range is exactly its text. Never throws.
 */
export function parseSource(file: string, text: string): ParsedSource | ParseProblem {
  try {
    const tree = parse(text, parserOptions(file, text));
    return { file, text, tree, errors: (tree.errors ?? []).map((error) => String(error.reasonCode)) };
  } catch (error) {
    return { problem: `${file} does not parse: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/**
 * `@babel/parser` options for a file with the given text, and for parts of it; they allow statements outside of their usual
 * context.
 */
export function parserOptions(file: string, text = ''): ParserOptions {
  return {
    sourceType: 'unambiguous',
    errorRecovery: true,
    createParenthesizedExpressions: true,
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowSuperOutsideMethod: true,
    allowNewTargetOutsideFunction: true,
    allowUndeclaredExports: true,
    plugins: pluginsFor(extname(file), FLOW.test(text)),
  };
}

/** 0-based offset of a node's first unit. */
export function startOf(node: Node): number {
  return node.start!;
}

/** Offset after a node's last unit, 0-based. */
export function endOf(node: Node): number {
  return node.end!;
}

/** The pragma of Flow, in a comment in front of all code. */
const FLOW =
  /^(?:#!.*)?(?:\s|['"]use strict['"];?|\/\/.*\n|\/\*(?:(?!\*\/|@flow)[\s\S])*\*\/)*(?:\/\/|\/\*(?:(?!\*\/|@flow)[\s\S])*)\s*@flow\b/;

function pluginsFor(extension: string, isFlow: boolean): ParserPlugin[] {
  const shared: ParserPlugin[] = ['decoratorAutoAccessors', 'explicitResourceManagement'];
  switch (extension) {
    case '.ts':
    case '.mts':
    case '.cts':
      return ['typescript', 'decorators-legacy', ...shared];
    case '.tsx':
      return ['typescript', 'jsx', 'decorators-legacy', ...shared];
    default:
      return [
        ...(isFlow ? (['flow'] as const) : []),
        'jsx',
        ['decorators', { allowCallParenthesized: true }],
        ...shared,
      ];
  }
}
