import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import { childEnvironment } from '../../platform/processes/environment.ts';
import { runProcess } from '../../platform/processes/process.ts';
import type { CheckRequest } from '../../ports/evaluation.ts';
import { acceptModules } from './accept-modules.ts';
import { appearInUse } from './appear-in-use.ts';
import { callInUse } from './call-in-use.ts';
import { callTogether } from './call-together.ts';
import type { PackedPackage } from '../delivery/packed-package.ts';
import { copyAsCheckout, copyAsInstalled, copyAsPacked, ENTRIES } from './installed-copy.ts';
import { readMachine } from './machine.ts';
import { decodeValue, encodeValue } from './call-values.ts';
import { lookAtValues } from '../unasked/look-at-values.ts';
import { observeCalls, type Observed } from '../unasked/observe.ts';
import { processSettings } from '../unasked/process-settings.ts';
import { watchEffects } from '../unasked/watch-effects.ts';
import type { WatchedCall } from './recording.ts';
import { callAll, type Given, type Job } from './repeat-program.ts';
import { setClock } from './set-clock.ts';
import { makeStandIns } from './stand-ins.ts';

/** A call that can be repeated. */
export type RepeatableCall = WatchedCall & { readonly args: string; readonly result: string };

/** A call that is made of what a packed package exports, loaded as users load it, instead of its source. */
export type EntryCall = RepeatableCall & { readonly entryOf: keyof typeof ENTRIES };

/** Circumstances of a repetition that must not matter to the results. */
export interface Circumstances {
  /** Makes the calls in reverse order. */
  readonly isReversed?: boolean;
  /** Milliseconds that the clock is ahead. */
  readonly aheadMs?: number;
  /** Stops the clock at the time that the code saw under test. */
  readonly isClockKept?: boolean;
  /**
   * Makes the calls in what looks like the product on a user's terminal, installed below `node_modules` and without its tests,
   * many times and some of them later, and returns the results of the last two rounds where these agree: what the code does
   * once it is in use. Objects are read again a little later.
   */
  readonly isInUse?: boolean;
  /** In use, or observed: calls with other arguments that are made in between. Their results are not returned. */
  readonly fillers?: readonly RepeatableCall[];
  /** In use in a checkout of the repository, with its tests, `.git` and `.aiwg`, and not installed. */
  readonly isCheckout?: boolean;
  /** Milliseconds until the asynchronous functions that a test gave answer; default: they answer at once. */
  readonly answersAfterMs?: number;
  /** In place of results: texts of `Behaviour`, and of what the sources changed for the process. */
  readonly observed?: Observed;
  /** Makes the calls in the package as its users get it, in a folder of theirs. */
  readonly packed?: PackedPackage;
}

export interface RepeatRequest {
  readonly request: CheckRequest;
  /** Absolute folder that the code runs in. */
  readonly cwd: string;
  /** Environment variables of the test command that say where the user lives, such as `TZ`. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of the user's repository; default: `cwd`. */
  readonly repository?: string | undefined;
  /** Conditions by which the tests choose among the targets of `exports` and `imports`; users of a package do not set them. */
  readonly conditions?: readonly string[];
}

/** File name of the calling code in stacks: not one of ralph's, and none that a test has. */
export const SHOWN_FILE = '/srv/app/server.js';

const TIMEOUT_MS = 10_000;

/**
 * The results of calls, by their position, that are made in a Node process without a test runner. A call without a result
 * could not be repeated. Never rejects.
 */
export async function repeatCalls(
  calls: readonly (RepeatableCall | EntryCall)[],
  { request, cwd, env, repository = cwd, conditions = [] }: RepeatRequest,
  circumstances: Circumstances = {},
): Promise<ReadonlyMap<number, string>> {
  const folder = makeTemporaryFolder('calls');
  const program = join(folder, 'main.mjs');
  const out = join(folder, 'out.json');
  // A name of its own: code must not see ralph's.
  const { packed, ...others } = circumstances;
  const isElsewhere = circumstances.isInUse === true || packed !== undefined;
  const place = isElsewhere ? mkdtempSync(join(realpathSync(tmpdir()), 'app-')) : undefined;
  try {
    writeFileSync(program, programText());
    const ordered = circumstances.isReversed === true ? reversed(calls) : calls;
    const copy = place === undefined ? undefined : copyInto(place, request.root, circumstances);
    if (packed !== undefined && copy === undefined) return new Map();
    const from = copy ?? request.root;
    const located = (call: RepeatableCall | EntryCall) => {
      const path = posix.relative(packed?.folder ?? '.', call.source);
      const at = 'entryOf' in call ? join(place!, ENTRIES[call.entryOf]) : join(from, path);
      return { ...call, url: pathToFileURL(at).href };
    };
    const job: Job = {
      ...(circumstances.isInUse === true && {
        place: { folder: repository, home: homedir(), machine: readMachine() },
      }),
      copy,
      ...others,
      out,
      calls: ordered.map(located),
      fillers: (circumstances.fillers ?? []).map(located),
    };
    await runProcess({
      file: process.execPath,
      args: [...(packed === undefined ? conditions.map((it) => `--conditions=${it}`) : []), program],
      cwd: packed === undefined ? cwd : place!,
      env: plainEnvironment(env),
      input: JSON.stringify(job),
      timeoutMs: Math.min(TIMEOUT_MS, request.timeoutMs),
      signal: request.signal,
      sandbox: request.sandbox?.allowing({ write: [folder], read: place === undefined ? [] : [place] }),
    });
    return new Map(JSON.parse(readTreeTextSync(out)) as [number, string][]);
  } catch {
    return new Map();
  } finally {
    removeTemporaryFolder(folder);
    if (place !== undefined) rmSync(place, { recursive: true, force: true });
  }
}

function copyInto(
  place: string,
  root: string,
  { packed, isCheckout = false }: Circumstances,
): string | undefined {
  if (packed !== undefined) return copyAsPacked(root, place, packed);
  return isCheckout ? copyAsCheckout(root, place) : copyAsInstalled(root, place);
}

/** The calls in reverse order, but for those on what another call made: they keep behind it. */
function reversed(calls: readonly RepeatableCall[]): RepeatableCall[] {
  if (calls.some(({ args }) => args.includes('{"h":'))) return [...calls];
  const makers = new Map(calls.map(({ at, on }) => [at, on]));
  const rootOf = (at: number): number => {
    const on = makers.get(at);
    return on === undefined ? at : rootOf(on);
  };
  return [...Map.groupBy(calls, ({ at }) => rootOf(at)).values()].toReversed().flat();
}

/** All of it but the import has the shown name in stacks. */
function programText(): string {
  const functions = {
    encode: encodeValue,
    decode: decodeValue,
    appear: appearInUse,
    observe: observeCalls,
    accept: acceptModules,
    useAll: callInUse,
    makeStandIns,
    setClock,
    callTogether,
  } satisfies Given['functions'];
  const texts = Object.entries(functions).map(([name, it]) => `${name}: ${String(it)}`);
  const looks = [lookAtValues, watchEffects, processSettings].map(String);
  const given = `functions: { ${texts.join(', ')} }, looks: [${looks.join(', ')}], module: process.getBuiltinModule('node:module'), load`;
  const code = `(load) => (${callAll.toString()})({ ${given} })`;
  return `import vm from 'node:vm';\nvm.runInThisContext(${JSON.stringify(code)}, { filename: '${SHOWN_FILE}' })((url) => import(url));\n`;
}

/** Without what a test runner, or ralph for unattended work, sets. */
function plainEnvironment(extra: Readonly<Record<string, string>>): Record<string, string> {
  const isForWork = /^(NODE_ENV|NODE_OPTIONS|CI|COREPACK_.*|npm_.*)$/;
  return Object.fromEntries(
    Object.entries(childEnvironment(extra)).filter(([name]) => !isForWork.test(name)),
  );
}
