import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { programFile } from '../../platform/package-files.ts';
import type { CheckRequest, Preload } from '../../ports/evaluation.ts';
import type { WatchOptions } from '../guests/watch-process.ts';

/** An act of code that decides how its own process is judged. */
export interface WatchedAct {
  /**
   * A built-in was replaced; the process was ended, its exit code put back, or its error received; a module was imported,
   * or a file read; the process ended in some way.
   */
  readonly kind: 'replaced' | 'ended' | 'imported' | 'read' | 'left';
  /** For example `Object.is` or `process.exit`; the absolute path of a file, or the name of a module; a `ProcessEnd` as JSON. */
  readonly name: string;
  /** The changed source that did it, relative to the root; undefined if the code has no file. */
  readonly source: string | undefined;
  /** The file that the process was started with, absolute; empty for code of the command line. */
  readonly entry: string;
}

const MAX_ACTS = 500;

/** What can run under watch: a check, for example. */
export interface WatchedProgram {
  run(request: CheckRequest): Promise<unknown>;
}

/**
 * Runs the check once with its Node processes under watch, and returns the acts of the given sources, and which of the
 * files in `reads` they read. The result of the check itself does not matter. Never rejects for what the check does.
 */
export async function watchedRun(
  check: WatchedProgram,
  request: CheckRequest,
  sources: readonly string[],
  reads: readonly string[] = [],
): Promise<WatchedAct[]> {
  mkdirSync(request.cacheDir, { recursive: true });
  const to = mkdtempSync(join(request.cacheDir, 'watched-'));
  try {
    const asked = { to, reads: reads.map((file) => join(request.root, file)) };
    await check.run({ ...request, fresh: true, preload: writePreload(asked) });
    const notes = readdirSync(to).filter((name) => name.endsWith('.jsonl'));
    const lines = notes.flatMap((name) => readFileSync(join(to, name), 'utf8').split('\n'));
    return lines.flatMap((line) => actIn(line, request.root, sources)).slice(0, MAX_ACTS);
  } finally {
    rmSync(to, { recursive: true, force: true });
  }
}

/** Writes the modules that start the watch: one for Node versions that can require a module, and one for the others. */
export function writePreload(asked: WatchOptions): Preload {
  const program = programFile('proof/guests/watch-process');
  const [common, module] = [join(asked.to, 'watch.cjs'), join(asked.to, 'watch.mjs')];
  const given = JSON.stringify(asked);
  writeFileSync(
    common,
    `let watch;\ntry {\n  ({ watch } = require(${JSON.stringify(program)}));\n} catch {}\nwatch?.(${given});\n`,
  );
  writeFileSync(
    module,
    `import { watchLate } from ${JSON.stringify(pathToFileURL(program).href)};\nawait watchLate(${given});\n`,
  );
  return { common, module: pathToFileURL(module).href };
}

/** Without a responsible source, a replacement by code that has no file counts, and an end that left no stack. */
function actIn(line: string, root: string, sources: readonly string[]): WatchedAct[] {
  const note = noteIn(line);
  if (note === undefined) return [];
  const { kind, name, stack, entry } = note;
  if (kind === 'left') return [{ kind, name, source: undefined, entry }];
  const source = kind === 'read' ? reader(stack, root, sources) : responsible(stack, root, sources);
  const isUnknown = kind === 'replaced' ? isWithoutFile(stack) : stack === '';
  const counts = source !== undefined || isUnknown;
  return counts ? [{ kind, name, source, entry }] : [];
}

interface Note {
  readonly kind: WatchedAct['kind'];
  readonly name: string;
  readonly stack: string;
  readonly entry: string;
}

function noteIn(line: string): Note | undefined {
  try {
    const { kind, name, stack, entry } = JSON.parse(line) as Record<string, unknown>;
    if (typeof name !== 'string' || typeof stack !== 'string') return undefined;
    const known = (['ended', 'imported', 'read', 'left'] as const).find((it) => it === kind) ?? 'replaced';
    return { kind: known, name, stack, entry: typeof entry === 'string' ? entry : '' };
  } catch {
    return undefined;
  }
}

/** Frames of what loads a module: the code that imports a module does not do what the module does. */
const LOADER =
  /node:internal\/modules\/|\/node_modules\/(jest-runtime|jest-circus|vite|vitest|vite-node|@vitest\/(?!expect)[^/]+|mocha\/lib\/(nodejs|cli)|ava)\//;
/** Frames of a runner by which code changes its assertions. */
const ASSERTION = /\bexpect\.\w+ \(/;
const LOCATION = /(?:file:\/\/)?(\/[^()]*?)(?:\?[^():]*)?:\d+:\d+/g;

/** The innermost changed source in a stack, above the next module that was being loaded. */
function responsible(stack: string, root: string, sources: readonly string[]): string | undefined {
  for (const frame of framesOf(stack)) {
    for (const [, path] of frame.matchAll(LOCATION)) {
      const inside = relative(root, decoded(path!)).split(sep).join('/');
      if (sources.includes(inside)) return inside;
    }
    if (LOADER.test(frame) && !ASSERTION.test(frame)) return undefined;
  }
  return undefined;
}

/** Names of functions, and paths, of what compares a result with a file. */
const COMPARES =
  /[Gg]olden|[Ss]napshot|[Ee]xpected|[Ee]xpectation|(?:^|[^a-z])(?:expect|assert)[A-Z_]|(?:^|[/ ])testing\//;

/** The source that reads a file: the innermost one of the repository, so that what the product reads for a test is its own. */
function reader(stack: string, root: string, sources: readonly string[]): string | undefined {
  for (const frame of framesOf(stack)) {
    for (const [, path] of frame.matchAll(LOCATION)) {
      const inside = relative(root, decoded(path!)).split(sep).join('/');
      if (/(^|\/)(\.\.|node_modules)\//.test(inside)) continue;
      if (sources.includes(inside)) return inside;
      // What a helper of the product compares for a test is what the test expects.
      if (!COMPARES.test(`${/at (?:async )?(\S+) \(/.exec(frame)?.[1] ?? ''} ${inside}`)) return undefined;
    }
  }
  return undefined;
}

/** True for code of a `data:` URL, of `node:vm` without a name, and for an act that left no stack. */
function isWithoutFile(stack: string): boolean {
  const first = framesOf(stack).find((frame) => !/\(?<anonymous>\)?$/.test(frame.trim()));
  return first === undefined || /data:text|evalmachine\.|\[eval\d*\]/.test(first);
}

/** The lines of a stack from the innermost frame on, without those of the watching code. */
function framesOf(stack: string): string[] {
  return stack.split('\n').filter((line) => line.trimStart().startsWith('at ') && !isOwn(line));
}

/** Its own file, and its functions in contexts of `node:vm`, where it has no file. */
function isOwn(frame: string): boolean {
  return /proof\/guests\/|\/watch\.[cm]js:|^\s*at (report|replace|redefined|set|Proxy\.set|Object\.set) .*evalmachine/.test(
    frame,
  );
}

function decoded(path: string): string {
  try {
    return fileURLToPath(`file://${path}`);
  } catch {
    return path;
  }
}
