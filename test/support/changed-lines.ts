import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrengthRequest } from '../../src/ports/acceptance.ts';
import { changedSources } from '../../src/proof/strength/changed-sources.ts';
import type { ChangedSource } from '../../src/proof/strength/changed-source.ts';
import { temporaryFolder } from './repositories.ts';

/** A change of some lines between an unchanged head and tail, which end with a line each. */
export interface ChangedLines {
  readonly before: string;
  readonly after: string;
  readonly head?: string;
  readonly tail?: string;
}

/** The changed source of a change of lines. */
export function changedLines({ before, after, head = '', tail = '' }: ChangedLines): ChangedSource[] {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.ts'), `${head}${after}\n${tail}`);
  const marked = (text: string, sign: string): string[] =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => sign + line);
  const at = head.split('\n').length;
  const top = ['diff --git a/a.ts b/a.ts', '--- a/a.ts', '+++ b/a.ts', `@@ -${at},1 +${at},1 @@`];
  const patch = [...top, ...marked(before, '-'), ...marked(after, '+'), ''].join('\n');
  const request = { root, changes: { patch }, testFiles: [] as string[] };
  return changedSources(request as unknown as StrengthRequest);
}
