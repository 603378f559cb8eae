import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import type { Diagnostic, Reflection } from '../../src/schema/generated.ts';
import { withCheckout } from './checked-out.ts';
import type { RecordedLoop } from './run-subject.ts';

type Place = Pick<RecordedLoop, 'root' | 'tool'>;

/**
 * The failures of the proof that a reflection names and that a run of the checks does not report. Each is tried again here: the
 * question at its line is answered in the way that it says, and every test must pass. What does not hold is left out.
 */
export function proofErrors(loop: Place, tree: string, reflection: Reflection): Diagnostic[] {
  const errors = reflection.evaluator_output.errors as readonly Diagnostic[];
  return errors.filter((one) => one.check === 'proof' && isNeedless(loop, tree, one));
}

function isNeedless(loop: Place, tree: string, { message, file, line }: Diagnostic): boolean {
  const [, question, answer] =
    /^No check notices if "(.+)" here is always (true|false)\./.exec(message) ?? [];
  if (question === undefined || file === undefined || line === undefined) return false;
  return withCheckout(loop.root, tree, ({ root }) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    if (!lines[line - 1]?.includes(question)) return false;
    lines[line - 1] = lines[line - 1]!.replace(question, answer!);
    writeFileSync(join(root, file), lines.join('\n'));
    const [program, ...args] =
      loop.tool === 'vitest' ? [join(root, 'node_modules/.bin/vitest'), 'run'] : [process.execPath, '--test'];
    return execaSync(program!, args, { cwd: root, reject: false, timeout: 60_000 }).exitCode === 0;
  });
}
