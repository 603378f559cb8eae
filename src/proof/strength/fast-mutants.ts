import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tryFast } from '../../repair/trial/fast-trial.ts';
import type { Candidate } from '../../repair/syntax/edit.ts';
import type { Runs } from './tried-run.ts';

/** Most test files that the mutants are tried on. */
const MAX_FILES = 4;
/** Part of the time that is left which the shared processes may take. */
const SHARE = 0.5;

/**
 * Mutants that a test catches in a process shared by many, which try them on the nearest test files. Mutants that are
 * not returned may be caught as well: a test that runs several times in one process can miss what it would notice
 * alone, and a mutant that was stopped or ended its process is not counted.
 */
export async function catchFast<Mutant extends { readonly candidate: Candidate }>(
  runs: Runs,
  mutants: readonly Mutant[],
): Promise<Set<Mutant>> {
  const { root } = runs.request;
  const shareMs = Math.max(1, Math.ceil((runs.end - performance.now()) * SHARE));
  const deadline = performance.now() + shareMs;
  const signal = AbortSignal.any([runs.signal, AbortSignal.timeout(shareMs)]);
  const caught = new Set<Mutant>();
  // Tests that a build writes are there only while the build's own run lasts.
  const targets = runs.covering
    .flatMap(({ check, files }) => files.map((testFile) => ({ check, testFile })))
    .filter(({ testFile }) => existsSync(join(root, testFile)));
  const tried = targets.slice(0, MAX_FILES);
  for (const [at, { check, testFile }] of tried.entries()) {
    const left = mutants.filter((mutant) => !caught.has(mutant));
    // Few that are left need fewer starts of the runner alone, in all files at once, than in each of the other files.
    if (at > 0 && left.length <= tried.length - at) break;
    if (left.length === 0 || signal.aborted) break;
    const { verdicts } = await tryFast(
      { context: { root, bench: runs.bench, signal }, check, testFile },
      left.map(({ candidate }) => candidate),
      { mode: 'all', deadline },
    );
    const failing = verdicts.filter(({ broken, stopped }) => broken.some((key) => !stopped.includes(key)));
    const candidates = new Set(failing.map(({ candidate }) => candidate));
    for (const mutant of left) if (candidates.has(mutant.candidate)) caught.add(mutant);
  }
  return caught;
}
