import { rmSync } from 'node:fs';
import { RalphError } from '../../../src/errors.ts';
import { rowOf, type Trial } from '../row.ts';
import { armFailpoint, failpointHits } from '../../../src/platform/files/failpoint.ts';
import type { Row, SuiteOptions } from '../suite.ts';
import { memoryFolder } from './test-repository.ts';
import { stateProblems } from './state-problems.ts';
import { lostWrites } from './state-crash.ts';
import { plainWrites, stateWrites } from './state-writes.ts';

/** The reduced run tries every so many-th operation. */
const EVERY = 6;
const FAULTS = ['enospc', 'eio', 'emfile'] as const;
/** Where a write can fail: before its bytes, within them, before they are safe. */
const OPERATIONS = [
  'write.opened',
  'write.half',
  'write.written',
  'append.opened',
  'append.half',
  'append.written',
];

/** A full disk, an I/O error and too many open files at operation N of the state's writes, for every N. */
export async function tryRefusals(
  { full, onProgress }: SuiteOptions,
  how: 'durable' | 'plain' = 'durable',
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const fault of FAULTS) {
    const trials: Trial[] = [];
    for (const operation of OPERATIONS) {
      // Once, and from then on: a disk that is full stays full.
      for (const lasts of full || fault === 'enospc' ? ['', '+'] : [''])
        trials.push(...(await tryUntilClean(`${operation}:${fault}`, lasts, { full, how })));
    }
    onProgress(`${fault} at ${trials.length} operations`);
    rows.push(
      rowOf(
        `${fault.toUpperCase()} at ${trials.length} operations: no file is damaged, nothing lost`,
        trials,
      ),
    );
  }
  return rows;
}

async function tryUntilClean(
  failpoint: string,
  lasts: string,
  { full, how }: { readonly full: boolean; readonly how: 'durable' | 'plain' },
): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (let number = 1; ; number += full ? 1 : EVERY) {
    const specification = `${failpoint}:${number}${lasts}`;
    const { wasMet, problems } = await tryRefusal(specification, how);
    if (!wasMet) return trials;
    trials.push({ name: specification, problems });
  }
}

async function tryRefusal(
  specification: string,
  how: 'durable' | 'plain',
): Promise<{ readonly wasMet: boolean; readonly problems: readonly string[] }> {
  const root = memoryFolder();
  try {
    const problems: string[] = [];
    const acknowledged: string[] = [];
    armFailpoint(specification);
    for (const write of how === 'plain' ? plainWrites(root) : stateWrites(root)) {
      try {
        await write.run();
        acknowledged.push(write.name);
      } catch (error) {
        const isTold = error instanceof RalphError && error.exitCode === 4;
        if (!isTold) problems.push(`${write.name} ended with ${(error as Error).message}`);
      }
    }
    const wasMet = failpointHits() >= Number(/:(\d+)\+?$/.exec(specification)![1]);
    armFailpoint(undefined);
    problems.push(...(await stateProblems(root)), ...(await lostWrites(root, acknowledged)));
    const writes = stateWrites(root);
    for (const write of writes) await write.run();
    problems.push(
      ...(await stateProblems(root)),
      ...(await lostWrites(
        root,
        writes.map(({ name }) => name),
      )),
    );
    return { wasMet, problems };
  } finally {
    armFailpoint(undefined);
    rmSync(root, { recursive: true, force: true });
  }
}
