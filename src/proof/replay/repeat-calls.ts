import type NodeModule from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import { childEnvironment } from '../../platform/processes/environment.ts';
import { runProcess } from '../../platform/processes/process.ts';
import type { CheckRequest } from '../../ports.ts';
import { appearInUse, type Place } from './appear-in-use.ts';
import { decodeValue, encodeValue } from './call-values.ts';
import type { RecordedCall } from './record-calls.ts';

/** A call that can be repeated. */
export type RepeatableCall = RecordedCall & { readonly args: string; readonly result: string };

/** Circumstances of a repetition that must not matter to the results. */
export interface Circumstances {
  /** Makes the calls in reverse order. */
  readonly isReversed?: boolean;
  /** Milliseconds that the clock is ahead. */
  readonly aheadMs?: number;
  /** Stops the clock at the time that the code saw under test. */
  readonly isClockKept?: boolean;
  /**
   * Makes the calls in what looks like the product on a user's terminal, many times and some of them later, and returns
   * the results of the last two rounds where these agree: what the code does once it is in use.
   */
  readonly isInUse?: boolean;
}

export interface RepeatRequest {
  readonly request: CheckRequest;
  /** Absolute folder that the code runs in. */
  readonly cwd: string;
  /** Environment variables of the test command that say where the user lives, such as `TZ`. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of the user's repository; default: `cwd`. */
  readonly repository?: string | undefined;
}

/** File name of the calling code in stacks: not one of ralph's, and none that a test has. */
const SHOWN_FILE = '/srv/app/server.js';

const TIMEOUT_MS = 10_000;

/**
 * The results of calls, by their position, that are made in a Node process without a test runner. A call without a result
 * could not be repeated. Never rejects.
 */
export async function repeatCalls(
  calls: readonly RepeatableCall[],
  { request, cwd, env, repository = cwd }: RepeatRequest,
  circumstances: Circumstances = {},
): Promise<ReadonlyMap<number, string>> {
  const folder = makeTemporaryFolder('calls');
  const program = join(folder, 'main.mjs');
  const out = join(folder, 'out.json');
  try {
    writeFileSync(program, programText());
    const ordered = circumstances.isReversed === true ? calls.toReversed() : calls;
    const job: Job = {
      out,
      calls: ordered.map((call) => ({ ...call, url: pathToFileURL(join(request.root, call.source)).href })),
      place: { folder: repository, home: homedir() },
      ...circumstances,
    };
    await runProcess({
      file: process.execPath,
      args: [program],
      cwd,
      env: plainEnvironment(env),
      input: JSON.stringify(job),
      timeoutMs: Math.min(TIMEOUT_MS, request.timeoutMs),
      signal: request.signal,
      sandbox: request.sandbox?.allowing({ write: [folder] }),
    });
    return new Map(JSON.parse(readFileSync(out, 'utf8')) as [number, string][]);
  } catch {
    return new Map();
  } finally {
    removeTemporaryFolder(folder);
  }
}

function programText(): string {
  const code = `(${callAll.toString()})`;
  const given = [encodeValue, decodeValue, appearInUse].map(String).join(', ');
  return `import vm from 'node:vm';\nconst run = vm.runInThisContext(${JSON.stringify(code)}, { filename: '${SHOWN_FILE}' });\nrun({ functions: [${given}], module: process.getBuiltinModule('node:module'), load: (url) => import(url) });\n`;
}

/** Without what a test runner, or ralph for unattended work, sets. */
function plainEnvironment(extra: Readonly<Record<string, string>>): Record<string, string> {
  const isForWork = /^(NODE_ENV|NODE_OPTIONS|CI|COREPACK_.*|npm_.*)$/;
  return Object.fromEntries(
    Object.entries(childEnvironment(extra)).filter(([name]) => !isForWork.test(name)),
  );
}

interface Job extends Circumstances {
  readonly out: string;
  readonly place: Place;
  readonly calls: readonly (RepeatableCall & { readonly url: string })[];
}

interface Given {
  readonly functions: readonly [typeof encodeValue, typeof decodeValue, typeof appearInUse];
  readonly module: typeof NodeModule;
  readonly load: (url: string) => Promise<unknown>;
}

/** The program of the other process. It must not refer to anything outside of its body. */
function callAll({ functions: [encode, decode, appear], module, load: importModule }: Given): void {
  const fs = process.getBuiltinModule('node:fs');
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  const job = JSON.parse(fs.readFileSync(0, 'utf8')) as Job;
  const { stringify } = JSON;
  const { apply } = Reflect;
  const wait = setTimeout;
  const { exit } = process;
  const RealDate = Date;
  if (job.isInUse === true) appear(job.place);
  let shownMs = (): number => RealDate.now() + (job.aheadMs ?? 0);
  if (job.aheadMs !== undefined || job.isClockKept === true) {
    globalThis.Date = class extends RealDate {
      constructor(...given: []) {
        super(...(given.length === 0 ? ([shownMs()] as unknown as []) : given));
      }
      static override now(): number {
        return shownMs();
      }
    } as DateConstructor;
  }

  /** Resolves and loads what runners also accept: missing extensions, TypeScript, JSON. */
  (module as Partial<typeof module>).registerHooks?.({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        if (!/^\.\.?\/|^file:/.test(specifier)) throw error;
        const bare = specifier.replace(/\.[cm]?jsx?$/, '');
        const tries = [bare, specifier].flatMap((it) =>
          ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js'].map(
            (end) => it + end,
          ),
        );
        for (const it of tries) {
          try {
            return next(it, context);
          } catch {
            // The next name.
          }
        }
        throw error;
      }
    },
    load(url, context, next) {
      const path = url.startsWith('file:') ? fileURLToPath(url) : '';
      if (path.includes('/node_modules/')) return next(url, context);
      if (
        /\.json$/.test(path) &&
        context.importAttributes['type'] === undefined &&
        !context.conditions.includes('require')
      )
        return {
          format: 'module',
          shortCircuit: true,
          source: `export default ${fs.readFileSync(path, 'utf8')}`,
        };
      if (!/\.m?tsx?$/.test(path)) return next(url, context);
      const source = module.stripTypeScriptTypes(fs.readFileSync(path, 'utf8'), { mode: 'transform' });
      return { format: 'module', shortCircuit: true, source };
    },
  });

  /** Undefined for a promise that does not settle in time. */
  const settled = async (result: unknown): Promise<{ value: unknown } | undefined> => {
    if (Object.prototype.toString.call(result) !== '[object Promise]') return { value: result };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => (timer = wait(resolve, 2_000, undefined)));
    try {
      return await Promise.race([(result as Promise<unknown>).then((value) => ({ value })), late]);
    } finally {
      clearTimeout(timer);
    }
  };

  const repeat = async (call: Job['calls'][number]): Promise<string | undefined> => {
    const loaded = (await importModule(call.url)) as Record<string, unknown>;
    const common = loaded['module.exports'] ?? (call.name in loaded ? undefined : loaded['default']);
    const owner = (common ?? loaded) as Record<string, unknown>;
    const fn = call.name === 'module.exports' ? common : owner[call.name];
    if (typeof fn !== 'function') return undefined;
    const self = common === undefined || common === fn ? undefined : owner;
    if (job.isClockKept === true) shownMs = () => call.clock;
    let end: { value: unknown } | undefined;
    try {
      end = await settled(apply(fn, self, decode(call.args) as []));
    } catch (error) {
      return `throws ${String((error as Error | undefined)?.name)}`;
    }
    return end && encode(end.value, true);
  };

  const results: [number, string][] = [];
  const write = fs.writeFileSync;
  // A listener could be seen by the code.
  const emit = process.emit.bind(process) as (event: string, ...given: unknown[]) => boolean;
  process.emit = ((event: string, ...given: unknown[]) => {
    if (event === 'exit') write(job.out, stringify(results));
    return emit(event, ...given);
  }) as typeof process.emit;
  const round = async (): Promise<(readonly [number, string])[]> => {
    const made: (readonly [number, string])[] = [];
    for (const call of job.calls) {
      const result = await repeat(call).catch(() => undefined);
      if (result !== undefined) made.push([call.at, result]);
    }
    return made;
  };
  /** Rounds in one go, at most so many and for so long; then a pause and two more, in which timers have run. */
  const inUse = async (): Promise<(readonly [number, string])[]> => {
    const until = RealDate.now() + 600;
    for (let made = 0; made < 500 && RealDate.now() < until; made++) await round();
    await new Promise((done) => wait(done, 250));
    const last = new Map(await round());
    return (await round()).filter(([at, result]) => last.get(at) === result);
  };
  void (async () => {
    for (const [at, result] of await (job.isInUse === true ? inUse() : round())) results.push([at, result]);
    exit(0);
  })();
}
