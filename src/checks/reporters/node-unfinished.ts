import { resolve } from 'node:path';
import type { ReportedError, ReportedProblem, ReportedTest } from '../results/test-report.ts';
import { EXIT_MARK } from './node-exit-mark.ts';
import type { TestEvent } from './node-reporter.ts';

type EventData = TestEvent['data'];

interface Announced {
  readonly data: EventData;
  /** Names from the outermost suite; undefined until it begins. */
  path: readonly string[] | undefined;
}

/** The tests of a run that were announced and never heard of again: their process ended before they did. */
export class Unfinished {
  readonly #announced: Announced[] = [];
  readonly #exits = new Map<string, string>();

  /** `path`: names of the test that the event is about, from the outermost suite. */
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

  /** Why a file of which no test was reported cannot be believed to have passed; undefined where it can. */
  exitOf(file: string | undefined): ReportedError | undefined {
    const stack = file === undefined ? undefined : this.#exits.get(resolve(file));
    if (stack === undefined) return undefined;
    return { message: 'process.exit() ended the file before its tests were reported.', stack };
  }

  /** Those that began failed as they ran; of the others, the outermost are named. */
  get tests(): ReportedTest[] {
    return this.#named()
      .filter(({ data }) => data.type !== 'suite')
      .map(({ data: { file, line, column }, path, error }) => ({
        ...{ file, path, line, column },
        ...{ status: 'failed', errors: [error] },
      }));
  }

  get suites(): ReportedProblem[] {
    return this.#named()
      .filter(({ data }) => data.type === 'suite')
      .map(({ data: { file }, path, error }) => ({
        ...{ file, name: path.join(' > '), suite: path },
        errors: [error],
      }));
  }

  #named(): { data: EventData; path: readonly string[]; error: ReportedError }[] {
    return this.#announced
      .filter(({ data, path }) => !isWholeFile(data) && (path !== undefined || data.nesting === 0))
      .map(({ data, path = [data.name], ...rest }) => {
        const stack = this.#exits.get(resolve(data.file ?? '.'));
        const message = `The process of the file ended before this ${data.type ?? 'test'} did.`;
        return { ...rest, data, path, error: { message, ...(stack !== undefined && { stack }) } };
      });
  }

  #noteExit({ file, message = '' }: EventData): void {
    const [, json] = message.split(EXIT_MARK);
    if (file === undefined || json === undefined) return;
    this.#exits.set(resolve(file), stackOf(json));
  }
}

/** A file without a test of its own, or one that could not be loaded, is reported as a test named by its path. */
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

/** Without our own frame and those of Node. A line of it may have come in parts. */
function stackOf(json: string): string {
  try {
    const lines = (JSON.parse(json.split('\n')[0]!) as string).split('\n');
    return lines.filter((line) => !/node-exit-mark|\(?node:/.test(line)).join('\n');
  } catch {
    return '';
  }
}
