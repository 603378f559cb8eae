import { extname } from 'node:path';
import { parse } from '@babel/parser';
import type { Comment, Node } from '@babel/types';

/** A parsed source. */
export interface Parsed {
  readonly root: Node;
  readonly comments: readonly Comment[];
}

/** Parses a source by the language of its name; undefined if it cannot be parsed. */
export function parsedOf(path: string, text: string): Parsed | undefined {
  const isTyped = /\.[cm]?tsx?$/.test(path);
  const mayHoldJsx = !isTyped || extname(path) === '.tsx';
  try {
    const file = parse(text, {
      sourceType: 'unambiguous',
      errorRecovery: true,
      allowReturnOutsideFunction: true,
      plugins: [
        ...(isTyped ? (['typescript'] as const) : []),
        ...(mayHoldJsx ? (['jsx'] as const) : []),
        'decorators',
      ],
    });
    return { root: file.program, comments: file.comments ?? [] };
  } catch {
    return undefined;
  }
}
