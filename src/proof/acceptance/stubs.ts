import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { writeInTree } from '../../platform/files/write-in-tree.ts';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import type { Bench } from '../../ports.ts';
import { namesRead, type ReadNames } from './missing-names.ts';
import { createNewFile } from './new-file.ts';

/** Functions without a behaviour of their own. */
const STUBS = [
  { does: 'returns its first argument', code: '(...given) => given[0]' },
  { does: 'returns an empty text', code: "() => ''" },
  { does: 'returns nothing', code: '() => undefined' },
];
const ENDINGS = ['', '.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs', '.cjs', '/index.ts', '/index.js'];

export interface StubRequest {
  /** Absolute. */
  readonly root: string;
  /** Test file, relative to the root; it is there. */
  readonly path: string;
  readonly text: string;
  /** Names of the tests as reported. */
  readonly tests: readonly string[];
  readonly bench: Bench;
  /** Check that runs the file. */
  readonly check: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Runs a test file with stubs for the functions that it imports and that the repository does not have yet. Returns the
 * stub with which every test passes, as words after "a function that"; such tests hold no behaviour. Undefined if there is
 * none, or nothing to stub. The repository is as before.
 */
export async function passesWithStub(request: StubRequest): Promise<string | undefined> {
  const missing = namesRead(request.text, request.path)
    .map((read) => placeOf(read, request))
    .filter(({ names }) => names.length > 0);
  if (missing.length === 0) return undefined;
  for (const { does, code } of STUBS) {
    if (request.signal.aborted) return undefined;
    const undo = [];
    try {
      for (const place of missing) undo.push(await stub(place, code, request.root));
      if (await allPass(request)) return does;
    } finally {
      for (const restore of undo) await restore();
    }
  }
  return undefined;
}

/** A module, and the names that it lacks. */
interface StubPlace {
  /** Relative to the root. */
  readonly file: string;
  /** Its text; undefined if there is no such file. */
  readonly text: string | undefined;
  readonly names: readonly string[];
  readonly isCommon: boolean;
}

function placeOf({ specifier, names, isRequired }: ReadNames, { root, path }: StubRequest): StubPlace {
  const wanted = join(dirname(path), specifier);
  const candidates = [...ENDINGS.map((end) => wanted + end), wanted.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')];
  const there = candidates.find((file) => extname(file) !== '' && existsSync(join(root, file)));
  const file = there ?? (extname(wanted) === '' ? wanted + extname(path) : wanted);
  const text = there === undefined ? undefined : readTreeTextSync(join(root, there));
  // A name that occurs anywhere may be exported in a way that is not seen: it is left alone.
  const lacking = [...names].filter((name) =>
    name === 'default' ? text === undefined : !new RegExp(`\\b${name}\\b`).test(text ?? ''),
  );
  const isCommon =
    text === undefined ? isRequired : /\bexports\b/.test(text) && !/^\s*(import|export)\b/m.test(text);
  return { file, text, names: lacking, isCommon };
}

/** Adds the stub to the module and returns how to take it away. */
async function stub(
  { file, text, names, isCommon }: StubPlace,
  code: string,
  root: string,
): Promise<() => Promise<void>> {
  const type = /\.[cm]?tsx?$/.test(file) ? ': any' : '';
  const typed = type === '' ? code : code.replace('(...given)', '(...given: any[])');
  const lines = names.map((name) => {
    if (name === 'default') return isCommon ? `module.exports = ${typed};` : `export default ${typed};`;
    return isCommon ? `module.exports.${name} = ${typed};` : `export const ${name}${type} = ${typed};`;
  });
  const added = `\n${lines.join('\n')}\n`;
  if (text === undefined) {
    const made = await createNewFile(root, file);
    await made.write(added);
    return made.remove;
  }
  writeInTree(root, file, text + added);
  return async () => writeInTree(root, file, text);
}

async function allPass({ bench, check, path, tests, timeoutMs, signal }: StubRequest): Promise<boolean> {
  const report = await bench.run(check, { files: [path], timeoutMs, signal });
  const passed = new Set(report.tests.filter(({ status }) => status === 'passed').map(({ name }) => name));
  return report.status !== 'error' && tests.every((name) => passed.has(name));
}
