import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import { reachedFiles } from '../../platform/modules/import-graph.ts';
import { specifierOf, walk } from '../acceptance/syntax.ts';
import { mayHoldState } from '../replay/ambient/reached.ts';
import { programOf } from './expected-names.ts';
import { reachesAnyModule, type Judges } from './reaching-sources.ts';

/**
 * Whether a helper of the tests works without the product: it imports nothing but files that judge, modules of Node that stay
 * within the process, and packages that compare. It keeps nothing that a test may have given it before. `file`: relative to the
 * root.
 */
export function isIndependent(file: string, { root, isJudge }: Judges): boolean {
  if (mayHoldState(root, file)) return false;
  return reachedFiles(root, file).every(({ file: reached }) => {
    const text = textOf(join(root, reached));
    return isJudge(reached) && !OUTSIDE.test(text) && comparesAlone(reached, text);
  });
}

/** Names by which a module reaches other processes, the network, the page of a browser and global objects. */
const OUTSIDE =
  /['"`](?:node:)?(?:child_process|cluster|dgram|https?|http2|net|repl|tls|vm|worker_threads)['"`]|\b(?:fetch|XMLHttpRequest|WebSocket|document|window|screen|globalThis|global)\b/;

/** Packages that compare and show values, or declare tests. */
const COMPARING =
  /^(?:@jest\/(?:globals|expect)|@vitest\/expect|ava|chai|deep-equal|dequal|expect|fast-deep-equal|jest-diff|lodash(?:\.\w+|\/\w+)?|power-assert|pretty-format|should|tape|unexpected|uvu(?:\/assert)?|vitest)$/;

function comparesAlone(file: string, text: string): boolean {
  if (!/\.[cm]?[jt]sx?$/.test(file)) return true;
  const program = programOf(file, text);
  if (program.length === 0 || reachesAnyModule(text, file)) return false;
  let isFound = false;
  for (const top of program)
    walk(top, (node) => {
      const path = specifierOf(node);
      if (path !== undefined && !/^\.{1,2}(?:\/|$)/.test(path) && !isBuiltin(path) && !COMPARING.test(path))
        isFound = true;
    });
  return !isFound;
}
