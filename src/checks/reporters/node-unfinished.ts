import { resolve } from 'node:path';
import { endedBefore } from '../results/ended-before.ts';
import type { ReportedError, ReportedProblem, ReportedTest } from '../results/test-report.ts';
import { EXIT_MARK } from './node-exit-mark.ts';
import type { TestEvent } from './node-reporter.ts';

type EventData = TestEvent['data'];

interface Announced {
  readonly data: EventData;
  /** Names of the suites and the test, outermost first; undefined until the test starts. */
  path: readonly string[] | undefined;
}

/** The tests of a run that were announced and have no result: their process ended before they did. */
export class UnfinishedTests {
  readonly #announced: Announced[] = [];
  readonly #exits = new Map<string, string>();

  /** Reads an event. `path`: names of its suites and its test, outermost first. */
  note({ type, data }: TestEvent, path: readonly string[]): void {
    if (type === 'test:stderr') this.#noteExit(data);
    if (type === 'test:enqueue') this.#announced.push({ data, path: undefined });
    const isEnd = type === 'test:pass' || type === 'test:fail';
    if (!isEnd && type !== 'test:start') return;
    const at = this.#announced.findIndex(
      (known) => isSame(known.data, data) && (isEnd || known.path === undefined),
    );
    if (at === -1) return;
    if (isEnd) this.#announced.splice(at, 1);
    else this.#announced[at]!.path = path;
  }

  /** The error of a file whose process called process.exit() before its tests were reported; undefined for any other file. */
  exitOf(file: string | undefined): ReportedError | undefined {
    const stack = file === undefined ? undefined : this.#exits.get(resolve(file));
    if (stack === undefined) return undefined;
    return { message: 'process.exit() ended the file before its tests were reported.', stack };
  }

  /** Unfinished tests, as failed: those that started, and the outermost of the others. */
  get tests(): ReportedTest[] {
    return this.#named()
      .filter(({ data }) => data.type !== 'suite')
      .map(({ data: { file, line, column }, path, error }) => ({
        file,
        path,
        line,
        column,
        status: 'failed',
        errors: [error],
      }));
  }

  /** Unfinished suites. */
  get suites(): ReportedProblem[] {
    return this.#named()
      .filter(({ data }) => data.type === 'suite')
      .map(({ data: { file }, path, error }) => ({
        file,
        name: path.join(' > '),
        suite: path,
        errors: [error],
      }));
  }

  #named(): { data: EventData; path: readonly string[]; error: ReportedError }[] {
    return this.#announced
      .filter(({ data, path }) => !isWholeFile(data) && (path !== undefined || data.nesting === 0))
      .map(({ data, path = [data.name], ...rest }) => {
        const stack = this.#exits.get(resolve(data.file ?? '.'));
        const message = endedBefore(data.type ?? 'test');
        return { ...rest, data, path, error: { message, stack } };
      });
  }

  #noteExit({ file, message = '' }: EventData): void {
    const [, json] = message.split(EXIT_MARK);
    if (file === undefined || json === undefined) return;
    this.#exits.set(resolve(file), stackOf(json));
  }
}

/** Whether an event is about a whole file: Node reports a file without tests as a test that is named by its path. */
export function isWholeFile({ nesting, name, file }: EventData): boolean {
  return nesting === 0 && file !== undefined && resolve(name) === resolve(file);
}

function isSame(one: EventData, other: EventData): boolean {
  return (
    one.file === other.file &&
    one.nesting === other.nesting &&
    one.name === other.name &&
    one.line === other.line &&
    one.column === other.column
  );
}

/** The stack without our frame and those of Node. Empty where the line arrived incomplete. */
function stackOf(json: string): string {
  try {
    const lines = (JSON.parse(json.split('\n')[0]!) as string).split('\n');
    return lines.filter((line) => !/node-exit-mark|\(?node:/.test(line)).join('\n');
  } catch {
    return '';
  }
}
