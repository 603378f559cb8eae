import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Row } from '../suite.ts';
import type { SourceRegex } from './regexes.ts';
import type { Probe } from './regex-worker.ts';
import { rowOf, type Trial } from './row.ts';

/** Enough for a cubic or exponential expression to take minutes; a quadratic one takes a tenth of a second. */
const LENGTH = 8_000;
const SHORT_LENGTH = 400;
const LIMIT_MS = 20_000;

/**
 * Runs every regular expression on texts made to slow it down, at most `most` texts for each. A quadratic expression
 * passes, because the length of untrusted text is limited.
 */
export async function tryRegexes(
  regexes: readonly SourceRegex[],
  { most, limitMs = LIMIT_MS }: { readonly most: number; readonly limitMs?: number },
): Promise<Row> {
  const trials: Trial[] = [];
  let worker = startWorker();
  for (const { place, source, flags } of unique(regexes)) {
    const answer = await probe(
      worker,
      { source, flags, most, shortLength: SHORT_LENGTH, longLength: LENGTH },
      limitMs,
    );
    if (answer === 'hangs') {
      await worker.terminate();
      worker = startWorker();
    }
    trials.push({ name: `${place} /${source.slice(0, 80)}/${flags}`, held: answer !== 'hangs' });
  }
  await worker.terminate();
  return rowOf('regular expressions of src: none is exponential or cubic', trials);
}

function startWorker(): Worker {
  return new Worker(new URL('regex-worker.ts', import.meta.url));
}

async function probe(worker: Worker, request: Probe, limitMs: number): Promise<'ends' | 'hangs'> {
  worker.postMessage(request);
  const timer = new AbortController();
  const late = new Promise<'hangs'>((resolve) => {
    const handle = setTimeout(() => resolve('hangs'), limitMs);
    timer.signal.addEventListener('abort', () => clearTimeout(handle));
  });
  const answered = once(worker, 'message').then((): 'ends' => 'ends');
  const outcome = await Promise.race([answered, late]);
  timer.abort();
  return outcome;
}

function unique(regexes: readonly SourceRegex[]): SourceRegex[] {
  return [...new Map(regexes.map((regex) => [`${regex.source}/${regex.flags}`, regex])).values()];
}
