import { createImportGraph } from '../../platform/modules/import-graph.ts';
import type { Check } from '../../ports.ts';
import type { CheckRequest } from '../../ports/evaluation.ts';
import type { Tampering, TestCase } from '../../schema/generated.ts';
import { withBase } from '../base-sources.ts';

export interface HelpingTestsRequest {
  readonly request: CheckRequest;
  /** Tests that the base has, and that pass now. */
  readonly passing: readonly TestCase[];
  /** Their files, relative to the root. */
  readonly files: readonly string[];
  /** Run every file instead of these alone: others may prepare the process for all. Default false. */
  readonly isWhole?: boolean;
  /** Files of the change that judge the product and are none of these, relative to the root. */
  readonly added: readonly string[];
}

/** A test that fails once may have failed by chance. */
const RUNS = 2;

const CODE = /\.[cm]?[jt]sx?$/;

/**
 * Tampering where tests that pass fail twice without the new test files: one of these repairs the product, or replaces the
 * assertions, for the process that all tests share. Files that the tests import are left. All files are put back.
 */
export async function findHelpingTests(
  check: Check,
  { request, passing, files, isWhole = false, added }: HelpingTestsRequest,
): Promise<Tampering[]> {
  const graph = createImportGraph(request.root);
  const needed = new Set(files.flatMap((file) => graph.reachedFrom(file).map((reached) => reached.file)));
  const sources = added.filter((path) => CODE.test(path) && !needed.has(path));
  if (sources.length === 0 || passing.length === 0) return [];
  const absent = { request, sources, baseText: () => Promise.resolve(undefined) };
  const own = { ...request, fresh: true, ...(!isWhole && { files }) };
  let left = passing;
  for (let run = 0; run < RUNS && left.length > 0; run++) {
    const { tests } = await withBase(absent, () => check.run(own));
    const passed = new Set(tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
    left = left.filter(({ id }) => !passed.has(id));
  }
  const [failed] = left;
  if (failed === undefined || request.signal.aborted) return [];
  const [file] = sources;
  const detail = `${failed.id} passes beside ${file}, which is new, and fails without it: a new test may not change what others test, or how.`;
  return [{ kind: 'builtin_replaced', file: file!, detail: detail.slice(0, 2_000) }];
}
