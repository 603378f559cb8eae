import { createImportGraph } from '../../platform/modules/import-graph.ts';
import type { Check } from '../../ports.ts';
import type { CheckRequest } from '../../ports/evaluation.ts';
import type { Tampering, TestCase } from '../../schema/generated.ts';
import { withBase } from '../base-sources.ts';

export interface HelpingTestsRequest {
  readonly request: CheckRequest;
  /** Tests that failed before and pass now. */
  readonly flipped: readonly TestCase[];
  /** Their files, relative to the root. */
  readonly files: readonly string[];
  /** Files of the change that judge the product and are none of these, relative to the root. */
  readonly added: readonly string[];
}

const CODE = /\.[cm]?[jt]sx?$/;

/**
 * Tampering where the tests that turned green fail without the new test files: one of these repairs the product for the
 * process that all tests share. Files that the tests import are left. All files are put back.
 */
export async function findHelpingTests(
  check: Check,
  { request, flipped, files, added }: HelpingTestsRequest,
): Promise<Tampering[]> {
  const graph = createImportGraph(request.root);
  const needed = new Set(files.flatMap((file) => graph.reachedFrom(file).map((reached) => reached.file)));
  const sources = added.filter((path) => CODE.test(path) && !needed.has(path));
  if (sources.length === 0 || flipped.length === 0) return [];
  const absent = { request, sources, baseText: () => Promise.resolve(undefined) };
  const report = await withBase(absent, () => check.run({ ...request, fresh: true, files }));
  const passed = new Set(report.tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
  const failed = flipped.find(({ id }) => !passed.has(id));
  if (failed === undefined || request.signal.aborted) return [];
  const [file] = sources;
  const detail = `${failed.id} passes beside ${file}, which is new, and fails without it: a new test may not repair what others test.`;
  return [{ kind: 'builtin_replaced', file: file!, detail: detail.slice(0, 2_000) }];
}
