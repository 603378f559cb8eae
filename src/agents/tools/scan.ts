import { Worker } from 'node:worker_threads';
import { programFile } from '../../platform/package-files.ts';

/** Files to look through, and for what. */
export interface Scan {
  /** Absolute. */
  readonly folder: string;
  /** Relative to the folder. */
  readonly files: readonly string[];
  readonly glob?: string;
  /** What is put before a file's path to match it with the glob; any match counts. */
  readonly prefixes: readonly string[];
  /** Without it the files that match the glob are the hits. */
  readonly pattern?: { readonly source: string; readonly flags: string };
  /** One hit more is found where there are more. */
  readonly maxHits: number;
  readonly maxLineChars: number;
}

export interface Hit {
  readonly path: string;
  /** 1-based; 0 where no line was looked for. */
  readonly line: number;
  /** The line, shortened around the match. */
  readonly text: string;
}

export interface ScanReport {
  readonly hits: Hit[];
  /** Files that match the glob. */
  readonly matched: number;
  readonly searched: number;
  /** Files that were left out for their size. */
  readonly tooLarge: number;
  /** False where time was up. */
  readonly done: boolean;
}

export const MAX_FILE_BYTES = 2 ** 20;

const WORKER = programFile('agents/tools/scan-worker');
const NOTHING_YET: ScanReport = { hits: [], matched: 0, searched: 0, tooLarge: 0, done: false };

/**
 * Looks through files in a thread that is stopped when time is up or the signal aborts, in the middle of a match
 * if need be; what was found by then is given. Rejects with what the thread throws, such as for an invalid glob.
 */
export function runScan(scan: Scan, timeoutMs: number, signal: AbortSignal): Promise<ScanReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { workerData: scan, execArgv: [], stdout: true, stderr: true });
    let last = NOTHING_YET;
    const stop = (): void => void worker.terminate();
    const timer = setTimeout(stop, timeoutMs);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    worker.on('message', (report: ScanReport) => (last = report));
    worker.on('error', reject);
    worker.on('exit', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(last);
    });
  });
}
