import { Worker } from 'node:worker_threads';
import { programFile } from '../../platform/package-files.ts';

/** The files to search and the glob and pattern to match. */
export interface Scan {
  /** Absolute. */
  readonly folder: string;
  /** Relative to the folder. */
  readonly files: readonly string[];
  readonly glob?: string;
  /** Prefixes added to a file's path before it is matched with the glob; one match suffices. */
  readonly prefixes: readonly string[];
  /** Without a pattern, each file that matches the glob is a hit. */
  readonly pattern?: { readonly source: string; readonly flags: string };
  /** The maximum number of hits; one more is reported if there are more. */
  readonly maxHits: number;
  readonly maxLineChars: number;
}

export interface Hit {
  readonly path: string;
  /** 1-based; 0 without a pattern. */
  readonly line: number;
  /** The line, shortened around the match. */
  readonly text: string;
}

export interface ScanReport {
  readonly hits: Hit[];
  /** The number of files that match the glob. */
  readonly matched: number;
  readonly searched: number;
  /** The number of files skipped for their size. */
  readonly tooLarge: number;
  /** False if the scan was stopped. */
  readonly done: boolean;
}

export const MAX_FILE_BYTES = 2 ** 20;

const WORKER = programFile('agents/tools/scan-worker');
const EMPTY_REPORT: ScanReport = { hits: [], matched: 0, searched: 0, tooLarge: 0, done: false };

/**
 * Searches files in a worker thread, which is terminated at the timeout or when the signal aborts, even within a
 * match; resolves with the hits found until then. Rejects with the worker's error, such as for an invalid glob.
 */
export function runScan(scan: Scan, timeoutMs: number, signal: AbortSignal): Promise<ScanReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { workerData: scan, execArgv: [], stdout: true, stderr: true });
    let last = EMPTY_REPORT;
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
