import { usageError } from '../../../src/errors.ts';
import { readJsonLines, type JsonLine } from '../json-lines.ts';
import { SIZE_CLASSES, type SizeClass } from '../size-class.ts';

/** The data set whose fields an instance has, and in whose form its prediction is written. */
export type InstanceForm = 'swe-bench' | 'multi-swe-bench';

/** A task from the history of a repository: an issue, the state before its fix, and tests that decide. */
export interface SweInstance {
  readonly form: InstanceForm;
  readonly id: string;
  /** `owner/name`. */
  readonly repo: string;
  /** Number of the pull request, in the form of Multi-SWE-bench; null in the other. */
  readonly number: number | null;
  /** Full or short id of the commit before the fix. */
  readonly baseCommit: string;
  readonly statement: string;
  /** The developers' fix without its tests, as a unified diff. */
  readonly fixPatch: string;
  /** The tests of the fix, as a unified diff. */
  readonly testPatch: string;
  /** Names of tests that fail before the fix and pass after it. */
  readonly failToPass: readonly string[];
  /** Names of tests that pass before and after it. */
  readonly passToPass: readonly string[];
  /** Null for instances that `ralph bench collect` did not make. */
  readonly size: SizeClass | null;
  /** Number of tests that fail with the fix as well, if it is known. */
  readonly drifted: number;
}

/** Reads a file of instances as JSON lines. Throws a usage error with file, line and field. */
export async function readInstances(file: string): Promise<SweInstance[]> {
  const instances = (await readJsonLines(file)).map(parseInstance);
  if (instances.length === 0) throw usageError(`${file} has no instances.`);
  const ids = instances.map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw usageError(`${file}: the instance "${repeated}" is there twice.`);
  return instances;
}

/** An instance in the form of SWE-bench, as one line of JSON. Lists of names are JSON in a string, as published. */
export function renderInstance(instance: Omit<SweInstance, 'form' | 'number'>, more: object = {}): string {
  return JSON.stringify({
    instance_id: instance.id,
    repo: instance.repo,
    base_commit: instance.baseCommit,
    patch: instance.fixPatch,
    test_patch: instance.testPatch,
    problem_statement: instance.statement,
    hints_text: '',
    version: '',
    FAIL_TO_PASS: JSON.stringify(instance.failToPass),
    PASS_TO_PASS: JSON.stringify(instance.passToPass),
    size: instance.size,
    drifted: instance.drifted,
    ...more,
  });
}

/** Parses one instance of either form. Throws a usage error with place and field. */
export function parseInstance(line: JsonLine): SweInstance {
  return 'fix_patch' in line.record ? parseMultiSwe(line) : parseSwe(line);
}

function parseSwe({ place, record }: JsonLine): SweInstance {
  const text = (field: string, mayBeEmpty = false): string =>
    readText(place, field, record[field], mayBeEmpty);
  return {
    form: 'swe-bench',
    id: text('instance_id'),
    repo: readRepo(place, 'repo', text('repo')),
    number: null,
    baseCommit: readCommit(place, 'base_commit', text('base_commit')),
    statement: text('problem_statement'),
    fixPatch: text('patch', true),
    testPatch: text('test_patch'),
    failToPass: readNames(place, 'FAIL_TO_PASS', record['FAIL_TO_PASS']),
    passToPass: readNames(place, 'PASS_TO_PASS', record['PASS_TO_PASS']),
    size: SIZE_CLASSES.find((size) => size === record['size']) ?? null,
    drifted: typeof record['drifted'] === 'number' ? record['drifted'] : 0,
  };
}

/** Multi-SWE-bench has one object per group of tests, keyed by the tests' names. */
function parseMultiSwe({ place, record }: JsonLine): SweInstance {
  const text = (field: string): string => readText(place, field, record[field]);
  const base = record['base'] as { readonly sha?: unknown } | null | undefined;
  const issues = Array.isArray(record['resolved_issues']) ? (record['resolved_issues'] as Issue[]) : [];
  const names = (...fields: string[]): string[] =>
    fields.flatMap((field) => Object.keys((record[field] as object | null | undefined) ?? {}));
  const number = record['number'];
  if (typeof number !== 'number') throw usageError(`${place}: field "number" must be a number.`);
  const repo = `${text('org')}/${text('repo')}`;
  const failToPass = names('f2p_tests', 's2p_tests', 'n2p_tests');
  if (failToPass.length === 0)
    throw usageError(`${place}: fields "f2p_tests", "s2p_tests" and "n2p_tests" name no test.`);
  return {
    form: 'multi-swe-bench',
    id:
      typeof record['instance_id'] === 'string'
        ? record['instance_id']
        : `${repo.replace('/', '__')}-${number}`,
    repo: readRepo(place, 'repo', repo),
    number,
    baseCommit: readCommit(place, 'base.sha', readText(place, 'base.sha', base?.sha)),
    statement:
      issues.length > 0 ? issues.map(renderIssue).join('\n\n') : renderIssue(record as unknown as Issue),
    fixPatch: text('fix_patch'),
    testPatch: text('test_patch'),
    failToPass,
    passToPass: names('p2p_tests'),
    size: null,
    drifted: 0,
  };
}

interface Issue {
  readonly title?: unknown;
  readonly body?: unknown;
}

function renderIssue({ title, body }: Issue): string {
  return [title, body].filter((part) => typeof part === 'string' && part.trim() !== '').join('\n\n');
}

/** Path parts are used as names of folders. */
function readRepo(place: string, field: string, value: string): string {
  if (/^[\w][\w.-]*\/[\w][\w.-]*$/.test(value)) return value;
  throw usageError(`${place}: field "${field}" is "${value}": it must be owner/name.`);
}

function readCommit(place: string, field: string, value: string): string {
  if (/^[0-9a-f]{7,64}$/.test(value)) return value;
  throw usageError(`${place}: field "${field}" is "${value}": it must be the id of a commit.`);
}

function readText(place: string, field: string, value: unknown, mayBeEmpty = false): string {
  if (value === undefined || value === null) throw usageError(`${place}: field "${field}" is missing.`);
  if (typeof value !== 'string') throw usageError(`${place}: field "${field}" must be a string.`);
  if (!mayBeEmpty && value.trim() === '') throw usageError(`${place}: field "${field}" is empty.`);
  return value;
}

/** A list of names, or a string with such a list as JSON, as the published files have it. */
function readNames(place: string, field: string, value: unknown): string[] {
  let names = value;
  try {
    if (typeof value === 'string') names = JSON.parse(value);
  } catch {
    // The message is the same.
  }
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names as string[];
  throw usageError(`${place}: field "${field}" must be a list of test names.`);
}
