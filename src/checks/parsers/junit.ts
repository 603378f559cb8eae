import { XMLParser } from 'fast-xml-parser';
import type { ReportedError, ReportedTest, TestReport } from '../results/test-report.ts';
import { parseComparedValues } from '../results/compared-values.ts';

/** An element as fast-xml-parser returns it; names of attributes begin with `@`. */
interface Suite {
  readonly '@name'?: string;
  readonly '@file'?: string;
  readonly testsuite?: readonly Suite[];
  readonly testcase?: readonly Case[];
  readonly error?: readonly Outcome[];
}

interface Case {
  readonly '@name'?: string;
  readonly '@classname'?: string;
  readonly '@file'?: string;
  readonly '@line'?: string;
  readonly '@time'?: string;
  readonly failure?: readonly Outcome[];
  readonly error?: readonly Outcome[];
  readonly skipped?: readonly Outcome[];
}

type Outcome =
  string | { readonly '@type'?: string; readonly '@message'?: string; readonly '#text'?: string };

const LISTS = new Set(['testsuite', 'testcase', 'failure', 'error', 'skipped']);

/**
 * Reads JUnit XML as Ant, Maven, pytest, Go and most others write it (https://llg.cubic.org/docs/junit/).
 * undefined for any other text, for an incomplete document, and for one with a document type: entities are never
 * expanded.
 */
export function parseJunit(text: string): TestReport | undefined {
  if (!/<testsuites?\b/.test(text) || /<!(DOCTYPE|ENTITY)/i.test(text) || !isWhole(text)) return undefined;
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseAttributeValue: false,
    parseTagValue: false,
    processEntities: false,
    isArray: (name) => LISTS.has(name),
  });
  try {
    const document = parser.parse(text) as { testsuites?: Suite; testsuite?: readonly Suite[] };
    const suites = document.testsuite ?? document.testsuites?.testsuite ?? [];
    return {
      tests: suites.flatMap((suite) => testsOf(suite, undefined)),
      problems: suites.flatMap(problemsOf),
    };
  } catch {
    return undefined;
  }
}

/** Whether the document is complete: the tests that an incomplete one lacks would go unnoticed. */
function isWhole(text: string): boolean {
  const root = /<(testsuites?)\b/.exec(text)![1]!;
  return text.lastIndexOf(`</${root}`) >= text.lastIndexOf('<testcase');
}

function testsOf(suite: Suite, inherited: string | undefined): ReportedTest[] {
  const file = attribute(suite['@file']) ?? inherited;
  const own = (suite.testcase ?? []).map((testcase) => toTest(testcase, file));
  return [...own, ...(suite.testsuite ?? []).flatMap((child) => testsOf(child, file))];
}

function toTest(testcase: Case, suiteFile: string | undefined): ReportedTest {
  const failures = [...(testcase.failure ?? []), ...(testcase.error ?? [])];
  const classname = attribute(testcase['@classname']);
  const file = attribute(testcase['@file']) ?? suiteFile;
  // Vitest names the file there.
  const isFile = file === undefined && classname !== undefined && /[^ ]\.[cm]?[jt]sx?$/.test(classname);
  const seconds = Number(testcase['@time'] ?? Number.NaN);
  return {
    file: isFile ? classname : file,
    path: [...(classname && !isFile ? [classname] : []), attribute(testcase['@name']) ?? 'unnamed'],
    status: failures.length > 0 ? 'failed' : testcase.skipped !== undefined ? 'skipped' : 'passed',
    durationMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined,
    line: Number(testcase['@line']) || undefined,
    errors: [
      ...(testcase.failure ?? []).map((outcome) => toError(outcome, true)),
      ...(testcase.error ?? []).map((outcome) => toError(outcome, false)),
    ],
  };
}

function problemsOf(suite: Suite): TestReport['problems'][number][] {
  const errors = (suite.error ?? []).map((outcome) => toError(outcome, false));
  const own = errors.length === 0 ? [] : [{ name: attribute(suite['@name']) ?? 'suite', errors }];
  return [...own, ...(suite.testsuite ?? []).flatMap(problemsOf)];
}

function toError(outcome: Outcome, isAssertion: boolean): ReportedError {
  const { message, type, body } = partsOf(outcome);
  const text =
    message ||
    body
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ||
    'Failed.';
  const name = /(\w+(?:Error|Exception|Failure))$/.exec(type)?.[1];
  return {
    name,
    message: text,
    stack: body,
    ...parseComparedValues(text),
    isAssertion: (isAssertion && (name === undefined || /assert|failure/i.test(name))) || undefined,
  };
}

function partsOf(outcome: Outcome): { message: string; type: string; body: string } {
  if (typeof outcome === 'string') return { message: '', type: '', body: decode(outcome) };
  return {
    message: attribute(outcome['@message']) ?? '',
    type: attribute(outcome['@type']) ?? '',
    body: decode(outcome['#text'] ?? ''),
  };
}

function attribute(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : decode(value);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Decodes the five predefined entities and character references of XML. */
function decode(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
