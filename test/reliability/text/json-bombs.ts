import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RalphError } from '../../../src/errors.ts';
import { parseEslintReport } from '../../../src/checks/parsers/eslint.ts';
import { parseForeignReport } from '../../../src/checks/parsers/foreign-report.ts';
import { parseJestReport } from '../../../src/checks/parsers/jest.ts';
import { parseOwnReport } from '../../../src/checks/parsers/own-report.ts';
import { createTreePaths } from '../../../src/checks/results/tree-paths.ts';
import { openRecording } from '../../../src/agents/llm/player.ts';
import { parseErrorPayload } from '../../../src/agents/llm/error-payload.ts';
import { readReflections } from '../../../src/memory/episodes/reflection-files.ts';
import { readRepairs } from '../../../src/memory/recall/repairs.ts';
import { validateReflections } from '../../../src/memory/episodes/validate.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { findAnswer } from '../../../src/platform/text/json-answer.ts';
import { readJournal } from '../../../src/state/journal.ts';
import { readState } from '../../../src/state/loops.ts';
import type { Row } from '../suite.ts';
import { rowOf, type Trial } from './row.ts';

const LOOP = 'ralph-bomb';
const ORIGIN = { check: 'tests', type: 'other', paths: createTreePaths('/nowhere', '/nowhere') } as const;
const STATE = `.aiwg/ralph/loops/${LOOP}`;

/** JSON, XML and TAP that is expensive to read. `scale` 1 gives texts of megabytes. */
function bombs(scale: number): Readonly<Record<string, string>> {
  const deep = Math.round(1_000_000 * scale);
  const many = Math.round(1_500_000 * scale);
  return {
    'nested lists': '['.repeat(deep) + ']'.repeat(deep),
    'nested objects': '{"a":'.repeat(deep / 5) + '1' + '}'.repeat(deep / 5),
    'unclosed lists': '['.repeat(deep),
    'many wrong items': `{"loop_id":"${LOOP}","actor_output":{"actions":[${'0,'.repeat(many)}0]},"tests":[${'0,'.repeat(1000)}0],"problems":[],"testResults":[]}`,
    'many unknown fields': `{${Array.from({ length: many / 10 }, (_, at) => `"k${at}":0`).join(',')}}`,
    'a long text': JSON.stringify({
      reflection_text: 'x'.repeat(deep * 4),
      tests: [],
      problems: [],
    }),
    'a long name': JSON.stringify({ ['k'.repeat(deep)]: 1 }),
    'a prototype':
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"tests":[],"problems":[],"error":{"__proto__":{"polluted":true}}}',
    'many fields with the same name': `{${'"a":1,'.repeat(deep / 10)}"a":2}`,
    'numbers out of range':
      '{"iteration":1e999,"reward":-1e999,"n":123456789012345678901234567890,"tests":[],"problems":[]}',
    'many quotes': '"'.repeat(deep),
    'many backslashes': `"${'\\'.repeat(deep)}`,
    'control characters': '{"a":"\u0000\u0001"}\u0000',
    'a lone surrogate': '{"loop_id":"\\ud800","tests":[],"problems":[]}',
    'empty text': '',
    null: 'null',
    'nested XML': `<testsuites>${'<testsuite name="a">'.repeat(deep / 20)}`,
    'XML entities': `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1000)}">]><testsuites>${'&b;'.repeat(10_000)}</testsuites>`,
    'nested TAP': `1..1\n${Array.from({ length: 300 }, (_, at) => `${' '.repeat(at * 4)}ok 1 - a {`).join('\n')}\n`,
  };
}

type Reader = (text: string, root: string) => unknown;

/** All readers of untrusted JSON and reports. */
const READERS: Readonly<Record<string, Reader>> = {
  'reflections of a repository': (text, root) => (
    put(root, `.aiwg/ralph/reflections/${LOOP}/001.json`, text),
    readReflections(root)
  ),
  'reflections validate': (text, root) => (
    put(root, `.aiwg/ralph/reflections/${LOOP}/001.json`, text),
    validateReflections(root)
  ),
  'repairs of a repository': (text, root) => (
    put(root, '.aiwg/ralph/memory/repairs.jsonl', `${text}\n`),
    readRepairs(root)
  ),
  'a state': (text, root) => (put(root, `${STATE}/state.json`, text), readState(root, LOOP)),
  'a journal': (text, root) => (
    put(root, `${STATE}/journal.jsonl`, `${text}\n`),
    readJournal(join(root, STATE, 'journal.jsonl'))
  ),
  'a recording': (text, root) => (
    put(root, 'calls.jsonl', `{"ralph_recording":1}\n${text}\n`),
    openRecording(join(root, 'calls.jsonl'))
  ),
  'an error of a server': (text) => parseErrorPayload(text),
  'the answer of a model': (text) => findAnswer(text, ['reflection_text']),
  'our own test report': (text) => ignoringInvalid(() => parseOwnReport(text)),
  'a report of jest': (text) => ignoringInvalid(() => parseJestReport(text)),
  'a report of eslint': (text) => parseEslintReport(text, ORIGIN),
  'SARIF, JUnit or TAP': (text) => parseForeignReport(text, ORIGIN),
};

/** Gives each text to each reader, which must read or reject it, without a stack overflow or a changed prototype. */
export async function tryJsonBombs(
  scale: number,
  readers: Readonly<Record<string, Reader>> = READERS,
): Promise<Row> {
  const root = makeTemporaryFolder('bombs');
  const trials: Trial[] = [];
  for (const [bomb, text] of Object.entries(bombs(scale))) {
    for (const [reader, read] of Object.entries(readers)) {
      const problem = await problemOf(() => read(text, root));
      trials.push({ name: `${bomb} as ${reader}: ${problem ?? ''}`, held: problem === undefined });
    }
  }
  removeTemporaryFolder(root);
  return rowOf(
    `JSON bombs for ${Object.keys(readers).length} readers: rejected or read, never a crash`,
    trials,
  );
}

/** A reader without a limit of depth, for comparison. */
export const UNBOUNDED: Readonly<Record<string, Reader>> = {
  'a reader without limits': (text) => JSON.stringify(JSON.parse(text)),
};

async function problemOf(act: () => unknown): Promise<string | undefined> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof RalphError)) return (error as Error).message.slice(0, 100);
  }
  return 'polluted' in {} ? 'the prototype was changed' : undefined;
}

/** These parsers throw for invalid reports, as their callers expect; only a stack overflow is a failure. */
function ignoringInvalid(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
