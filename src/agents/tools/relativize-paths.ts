import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';

/** Replaces the root's absolute path, written as a path or a file URL, by `.`. */
export function relativizePaths(text: string, root: string): string {
  const spellings = [
    ...new Set([root, realPathOr(root)].flatMap((one) => [pathToFileURL(one).href, `file://${one}`, one])),
  ];
  const longestFirst = spellings.sort((a, b) => b.length - a.length).map(escapeRegExp);
  return text.replace(new RegExp(`(?:${longestFirst.join('|')})(?![\\w-])`, 'g'), '.');
}

function realPathOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
