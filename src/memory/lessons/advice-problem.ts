import { linesInTree } from '../../platform/files/lines-in-tree.ts';
import { allowedAdvice } from '../../prompts/allowed/allow.ts';
import { adviceTree, type SeenFailure } from '../../prompts/allowed/tree.ts';
import { withoutGround } from '../../prompts/foreign-advice.ts';
import type { Lesson } from '../../schema/generated.ts';
import { filesNamedIn } from './missing-files.ts';

/** Advice with the files that it is about. */
interface Proposed {
  readonly text: string;
  readonly files?: readonly string[] | undefined;
}

/**
 * The reason why advice of a model or a program may not be told in this repository, as a sentence: the same gate as for the steps
 * of a reflection, in the files of the repository as they are.
 */
export function adviceProblem(
  repositoryRoot: string,
  { text, files = [] }: Proposed,
  failures: readonly SeenFailure[] = [],
): string | undefined {
  const named = [...new Set([...filesNamedIn(text), ...files])];
  const tree = adviceTree({
    linesOf: (file) => linesInTree(repositoryRoot, file),
    files: named,
    // Tests among the files that a lesson is about.
    failures: [...failures, ...named.map((file) => ({ file, message: '' }))],
  });
  const allowed = allowedAdvice(text, tree);
  return allowed.ok ? undefined : allowed.reason;
}

/** The advice without a reason that nothing has looked up, or undefined where it may not be told in this repository. */
export function keptAdvice(
  repositoryRoot: string,
  proposed: Proposed,
  failures?: readonly SeenFailure[],
): string | undefined {
  const text = withoutGround(proposed.text)?.replace(/[\s.,;:]+$/, '');
  if (text === undefined) return undefined;
  return adviceProblem(repositoryRoot, { ...proposed, text }, failures) === undefined
    ? `${text}.`
    : undefined;
}

/** Passes in which a model or a program proposes advice. */
const FOREIGN: ReadonlySet<Lesson['source']['pass']> = new Set<Lesson['source']['pass']>([
  'mcp',
  'reflection',
  'validation',
  'insight',
  'micro',
]);

/** True for advice that a model or a program proposed. */
export function isForeignAdvice({ source, claim }: Pick<Lesson, 'source' | 'claim'>): boolean {
  return claim?.kind === 'advice' && FOREIGN.has(source.pass);
}
