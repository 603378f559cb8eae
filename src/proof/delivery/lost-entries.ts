import { join } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { createImportGraph, entrySource, type ImportGraph } from '../../platform/modules/import-graph.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';

/** An entry of the package, such as `main`, and the source that it leads to, relative to the root. */
interface Entry {
  /** Its place in package.json. */
  readonly key: string;
  readonly file: string;
}

/** More files than the graph follows: what else is reached is not known. */
const MOST_FOLLOWED = 400;

/**
 * A sentence on an entry of the package that led to the code under test in the base, and leads past it now: the repaired
 * tests pass, and users of the package do not get the repair. `files`: the test files that turned green. Undefined if there
 * is none. Looks at the package at the root of the tree.
 */
export async function findLostEntry(
  changed: ChangedSources,
  files: readonly string[],
): Promise<string | undefined> {
  const { request, sources, baseText } = changed;
  const text = readIfThere(join(request.root, 'package.json'));
  const [manifest, baseManifest] = [text, (await baseText('package.json')) ?? text].map(readManifest);
  if (manifest === undefined || baseManifest === undefined) return undefined;
  const now = lookAt(request.root, { manifest, files, sources });
  if (now.tested.length === 0) return undefined;
  const before = await withBase(changed, () =>
    Promise.resolve(lookAt(request.root, { manifest: baseManifest, files, sources })),
  );
  const led = before.entries.filter(({ leads }) => leads);
  const isMain = ({ key }: Entry): boolean => /^(main|module|browser|exports)$/.test(key);
  /** One of several targets of `exports` may lead to something else, in the base as well. */
  const hasNeverLed = (entry: Entry): boolean =>
    before.entries.some(({ key, file, leads }) => !leads && key === entry.key && file === entry.file);
  const lost = now.entries.find(
    (entry) =>
      !entry.leads &&
      !hasNeverLed(entry) &&
      (led.some(({ key }) => key === entry.key) ||
        (isMain(entry) && led.some(isMain) && !before.entries.some(({ key }) => key === entry.key))),
  );
  if (lost === undefined) return undefined;
  const tested = before.tested[0]!;
  return `${lost.file}, to which "${lost.key}" of package.json leads, does not lead to ${tested} as before, so that users of the package do not get what the repaired tests test. --allow ${tested} permits it.`;
}

interface Look {
  /** `leads`: to a changed source that the tests reach; true as well if that is not known. */
  readonly entries: readonly (Entry & { readonly leads: boolean })[];
  /** Changed sources that the tests reach. */
  readonly tested: readonly string[];
}

interface LookRequest {
  readonly manifest: Manifest;
  readonly files: readonly string[];
  readonly sources: readonly string[];
}

function lookAt(root: string, { manifest, files, sources }: LookRequest): Look {
  const graph = createImportGraph(root, { withTypes: false });
  const reached = new Set(files.flatMap((file) => namesFrom(graph, file)));
  const tested = sources.filter((path) => reached.has(path));
  const leads = ({ file }: Entry): boolean => {
    const names = namesFrom(graph, file);
    return names.length > MOST_FOLLOWED || tested.some((path) => names.includes(path));
  };
  return { tested, entries: entriesOf(manifest, root).map((entry) => ({ ...entry, leads: leads(entry) })) };
}

function namesFrom(graph: ImportGraph, from: string): string[] {
  return graph.reachedFrom(from).map(({ file }) => file);
}

type Manifest = Readonly<Record<string, unknown>>;

/** The entries of a package that are sources of the repository. Patterns and subpaths other than `.` are left out. */
function entriesOf(manifest: Manifest, root: string): Entry[] {
  const { main = 'index.js', module, browser, exports, bin } = manifest;
  const table = typeof exports === 'object' && exports !== null ? (exports as Manifest) : {};
  const own = Object.keys(table).some((key) => key.startsWith('.')) ? table['.'] : exports;
  const named = typeof bin === 'object' && bin !== null ? Object.entries(bin) : [['bin', bin] as const];
  const targets = [
    ['main', main],
    ['module', module],
    ['browser', browser],
    ...textsIn(own).map((text) => ['exports', text] as const),
    ...named.map(([name, path]) => [name === 'bin' ? name : `bin.${name}`, path] as const),
  ] as const;
  return targets.flatMap(([key, path]) => {
    const file = typeof path === 'string' ? entrySource(root, path) : undefined;
    return file !== undefined && /\.[cm]?[jt]sx?$/.test(file) ? [{ key, file }] : [];
  });
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return /\.d\.[cm]?ts$/.test(value) ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function readManifest(text: string | undefined): Manifest | undefined {
  try {
    return JSON.parse(text ?? '') as Manifest;
  } catch {
    return undefined;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readTreeTextSync(path);
  } catch {
    return undefined;
  }
}
