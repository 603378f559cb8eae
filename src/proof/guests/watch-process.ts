/**
 * Runs in every Node process and worker of a check, by `NODE_OPTIONS=--import`, before any code of the repository. It
 * watches the built-ins of the language and `node:assert`, in the process's own realm and in the contexts of `node:vm`,
 * and the ends of the process. It appends each act as a line of JSON to a file in the folder that its own address names.
 */
import assert from 'node:assert';
import fs, { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import { isMainThread, threadId } from 'node:worker_threads';
import { guardEnds } from './guard-ends.ts';
import { guardRealm, type GuardedRealm, type NoteReplacement } from './guard-realm.ts';
import { guardMocha, installedAssertions, isMocha, isPackageManager } from './installed-assertions.ts';
import { noteCached, noteImports } from './note-imports.ts';
import { noteReads } from './note-reads.ts';

const { searchParams } = new URL(import.meta.url);
const folder = searchParams.get('to');
if (folder !== null) await watch(folder);

async function watch(to: string): Promise<void> {
  const file = openSync(join(to, `${process.pid}-${threadId}.jsonl`), 'a');
  const write = writeSync;
  const { stringify } = JSON;
  const entry = process.argv[1] ?? '';
  const seen = new Set<string>();
  const { has, add } = seen;
  const noteAct = (kind: 'replaced' | 'ended' | 'imported' | 'read', name: string, stack: string): void => {
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
    );
  // Before the functions of `node:fs` are watched themselves.
  noteReads(new Set(searchParams.getAll('read')), (name) => noteAct('read', name, realms[0]!.trace()));
  // Each stream gets a property of its own, because only those are watched.
  for (const stream of [process.stdout, process.stderr]) stream.write = stream.write.bind(stream);
  realms[0] = guardRealm(note, [
    ['fs', fs],
    ['fs.promises', fs.promises],
    ['process.stdout', process.stdout],
    ['process.stderr', process.stderr],
    ['assert', assert],
    ['assert.strict', assert.strict],
    ['process', process],
    ['console', console],
    ...(isPackageManager(entry) ? [] : await installedAssertions(process.cwd())),
  ]);
  if (isMainThread && isMocha(entry)) await guardMocha(process.cwd(), note, realms[0].trace);
  noteCached(note, realms[0].trace);
  noteImports((name, importer) => noteAct('imported', name, `here\n    at ${importer}:1:1`));
  const source = `(${guardRealm.toString()})`;
  const { createContext, runInContext } = vm;
  vm.createContext = ((...given: Parameters<typeof createContext>) => {
    const context = createContext(...given);
    try {
      realms[realms.length] = (runInContext(source, context) as typeof guardRealm)(note, []);
    } catch {
      // A context that cannot run code has nothing to watch.
    }
    return context;
  }) as typeof createContext;
  process.on('exit', () => {
    for (const { verify } of realms) verify();
  });
}
