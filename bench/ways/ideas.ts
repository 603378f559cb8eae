import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { proposeCandidates } from '../../src/repair/operators/propose/candidates.ts';
import { applyEdits } from '../../src/repair/syntax/edit.ts';
import { packageFiles, SOURCE_FILE } from '../datasets/humanevalfix/package-files.ts';
import type { Problem } from '../datasets/humanevalfix/problems.ts';

/** What a model may think of for one problem: whole programs. */
export interface Ideas {
  readonly original: string;
  /** Programs that pass the problem's full tests, each one edit away from the original. */
  readonly right: readonly string[];
  /** Plausible programs that do not. */
  readonly wrong: readonly string[];
}

const MOST_CANDIDATES = 600;
const MOST_WRONG = 60;
const TEST_MS = 300;

/**
 * The single edits that the operators of the search make in a program, told apart by the problem's full and example tests.
 * Undefined if none of them is right: the problems have no solution of their authors.
 */
export function ideasFor(problem: Problem): Ideas | undefined {
  const original = packageFiles(problem, 'full')[SOURCE_FILE]!;
  const right: string[] = [];
  const wrong: string[] = [];
  for (const { edits } of proposeCandidates({ file: SOURCE_FILE, text: original, limit: MOST_CANDIDATES })) {
    const text = applyEdits(original, edits);
    const isRight = passes(problem, text);
    if (isRight) right.push(text);
    else if (wrong.length < MOST_WRONG) wrong.push(text);
  }
  return right.length === 0 || wrong.length === 0 ? undefined : { original, right, wrong };
}

/** Runs the tests as the authors of the problems do: each in one script with the program. */
function passes({ test, exampleTest }: Problem, program: string): boolean {
  try {
    for (const tests of [test, exampleTest])
      runInNewContext(`${program}\n${tests}`, { console, module: {}, require }, { timeout: TEST_MS });
    return true;
  } catch {
    return false;
  }
}

const require = createRequire(import.meta.url);
const console = {
  log: () => undefined,
  assert(value: unknown) {
    if (!value) throw new Error('An assertion failed.');
  },
};

/**
 * The ideas of one model on one problem, in the order in which it has them: each is right with the same probability, whatever
 * came before. The same seed gives the same ideas, so that every way of asking gets the same ones.
 */
export function drawIdeas(
  { right, wrong }: Ideas,
  { seed, share }: { seed: string; share: number },
): () => string {
  let number = 0;
  const next = (): number => {
    const digest = createHash('sha256').update(`${seed} ${number++}`).digest();
    return digest.readUInt32BE(0) / 2 ** 32;
  };
  return () => {
    const pool = next() < share ? right : wrong;
    return pool[Math.floor(next() * pool.length)]!;
  };
}
