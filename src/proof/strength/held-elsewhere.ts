import type { CheckSettings } from '../../checks/requests.ts';
import { applyEdits } from '../../repair/syntax/edit.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { runTestCommand } from '../run-test-command.ts';
import { addedCommands } from '../test-command.ts';
import type { RevertedBlock } from './reverted-blocks.ts';
import { uncheckedText, type Noticed, type Runs } from './tried-run.ts';

/**
 * Whether something else than the covering tests notices that a block is put back: another check that passes on the result,
 * such as the type checker, or a command of the test script that no check runs.
 */
export async function isHeldElsewhere(
  settings: CheckSettings,
  runs: Runs,
  { source, candidate, added, ignoresTypes }: RevertedBlock,
): Promise<Noticed> {
  const text = applyEdits(source.parsed.text, candidate.edits);
  const given = ignoresTypes === true ? uncheckedText(source.file, text) : text;
  // A linter would notice the import that nothing uses any more.
  return withTexts(runs.request.root, new Map([[source.file, given]]), () =>
    othersNotice(settings, runs, added !== undefined),
  );
}

/** Whether another check that passes on the result, or a command of the test script that no check runs, fails as the files are now. */
export async function othersNotice(
  settings: CheckSettings,
  { request, bench, covering, end, signal }: Runs,
  isLintLeftOut: boolean,
): Promise<Noticed> {
  const passing = request.evaluation.checks.filter(({ status }) => status === 'pass');
  const others = passing.filter(
    ({ name, kind }) =>
      kind !== 'tests' &&
      !(isLintLeftOut && kind === 'lint') &&
      covering.every(({ check }) => check.name !== name),
  );
  const leftMs = (): number => Math.max(1, Math.ceil(end - performance.now()));
  for (const { name } of others) {
    const { status } = await bench.run(name, { timeoutMs: leftMs(), signal });
    if (signal.aborted || performance.now() >= end) return 'over';
    if (status !== 'pass') return 'yes';
  }
  for (const command of addedCommands(settings)) {
    const failure = await runTestCommand(command, {
      settings,
      request: { ...request, confirm: false },
      timeoutMs: leftMs(),
      check: '',
      pristine: undefined,
      openBase: undefined,
    });
    if (signal.aborted || performance.now() >= end) return 'over';
    if (failure !== undefined) return 'yes';
  }
  return 'no';
}
