/**
 * Runs in every Node process and worker of a check, by `NODE_OPTIONS`, before any code of the repository. It
 * watches the built-ins of the language and `node:assert`, in the process's own realm and in the contexts of `node:vm`,
 * and the ends of the process. It appends each act as a line of JSON to a file in a folder. Only some versions of Node can
 * require this module before the modules that a check requires; the others import it after those.
 */
import assert from 'node:assert';
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import fs, { openSync, writeSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import stream from 'node:stream';
import vm from 'node:vm';
import { isMainThread, threadId } from 'node:worker_threads';
import { guardEnds } from './guard-ends.ts';
import { guardRealm, type GuardedRealm, type NoteReplacement } from './guard-realm.ts';
import {
  guardMocha,
  importedAssertions,
  isMocha,
  isPackageManager,
  requiredAssertions,
  type NamedOwner,
} from './installed-assertions.ts';
import { noteEnd } from './note-end.ts';
import { noteCached, noteImports, noteLoading } from './note-imports.ts';
import { noteReads } from './note-reads.ts';
import { watchExpect } from './watch-expect.ts';

/** The folder of the notes, and the files whose reads are noted. */
export interface WatchOptions {
  /** Absolute path of the folder for the notes. */
  readonly to: string;
  /** Absolute paths of files whose reads are noted. */
  readonly reads: readonly string[];
  /** Let each process end with exit code 0, and write no NUL to its output. */
  readonly ends?: 'well' | undefined;
}

let isWatching = false;

/** Starts the watch with the assertions that can be required. */
export function watch(options: WatchOptions): void {
  const isManager = isPackageManager(process.argv[1] ?? '');
  start(options, isManager ? [] : requiredAssertions(process.cwd()));
}

/** Starts the watch unless it runs already. */
export async function watchLate(options: WatchOptions): Promise<void> {
  if (isWatching) return;
  const isManager = isPackageManager(process.argv[1] ?? '');
  start(options, isManager ? [] : await importedAssertions(process.cwd()));
}

function start({ to, reads, ends }: WatchOptions, installed: readonly NamedOwner[]): void {
  isWatching = true;
  const file = openSync(join(to, `${process.pid}-${threadId}.jsonl`), 'a');
  const write = writeSync;
  const { stringify } = JSON;
  const entry = process.argv[1] ?? '';
  const seen = new Set<string>();
  const { has, add } = seen;
  const noteAct = (
    kind: 'replaced' | 'ended' | 'imported' | 'read' | 'left',
    name: string,
    stack: string,
  ): void => {
    const line = `${stringify({ kind, name, stack, entry })}\n`;
    if (Reflect.apply(has, seen, [line]) as boolean) return;
    Reflect.apply(add, seen, [line]);
    write(file, line);
  };
  const note: NoteReplacement = (name, stack) => noteAct('replaced', name, stack);
  const realms: GuardedRealm[] = [];
  if (isMainThread)
    guardEnds(
      (name, stack) => noteAct('ended', name, stack),
      () => realms[0]!.trace(),
      isPackageManager(entry),
    );
  // Before the functions of `node:fs` are watched themselves.
  noteReads(new Set(reads), (name) => noteAct('read', name, realms[0]!.trace()));
  // Each stream gets a property of its own, because only those are watched.
  for (const stream of [process.stdout, process.stderr]) stream.write = stream.write.bind(stream);
  if (isMainThread) noteEnd((end) => noteAct('left', end, ''), ends === 'well');
  const assertions: NamedOwner[] = [
    ['fs', fs],
    ['fs.promises', fs.promises],
    ['process.stdout', process.stdout],
    ['process.stderr', process.stderr],
    ['assert', assert],
    ['assert.strict', assert.strict],
    ['process', process],
    ['console', console],
    ['child_process', childProcess],
    ...sharedPrototypes(),
    ...loaderFunctions(),
    ...installed,
  ];
  realms[0] = guardRealm(note, assertions, watchExpect);
  if (isMainThread && isMocha(entry)) guardMocha(process.cwd(), note, realms[0].trace);
  noteCached(note, realms[0].trace);
  // After the own hooks of this program.
  noteImports((name, importer) => noteAct('imported', name, `here\n    at ${importer}:1:1`));
  noteLoading(note, realms[0].trace);
  const source = `(note) => (${guardRealm.toString()})(note, [], ${watchExpect.toString()})`;
  const { createContext, runInContext } = vm;
  vm.createContext = ((...given: Parameters<typeof createContext>) => {
    const context = createContext(...given);
    try {
      realms[realms.length] = (runInContext(source, context) as (note: NoteReplacement) => GuardedRealm)(
        note,
      );
    } catch {
      // A context that cannot run code has nothing to watch.
    }
    return context;
  }) as typeof createContext;
  process.on('exit', () => {
    for (const { verify } of realms) verify();
  });
}

/** What the classes of everybody inherit from Node. */
function sharedPrototypes(): [name: string, owner: object][] {
  const types = { Readable: stream.Readable, Writable: stream.Writable, Duplex: stream.Duplex };
  return [
    ['events.EventEmitter.prototype', EventEmitter.prototype],
    ...Object.entries({ ...types, Transform: stream.Transform }).map(
      ([name, { prototype }]): [string, object] => [`stream.${name}.prototype`, prototype],
    ),
    ['Buffer', Buffer],
    ['Buffer.prototype', Buffer.prototype],
    ['URL.prototype', URL.prototype],
    ['URLSearchParams.prototype', URLSearchParams.prototype],
  ];
}

/** The functions by which Node loads a module of CommonJS. */
function loaderFunctions(): [name: string, owner: object][] {
  const owner = module as unknown as { readonly _extensions: object; readonly prototype: object };
  return [
    ['module', module],
    ['module.prototype', owner.prototype],
    ['module._extensions', owner._extensions],
  ];
}
