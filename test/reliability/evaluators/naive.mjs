// A naive evaluator, based on `exec`: node naive.mjs evaluate --format jsonl --check-timeout 2s --check tests=COMMAND
import { exec } from 'node:child_process';

const words = process.argv.slice(2);
const seconds = Number.parseFloat(words[words.indexOf('--check-timeout') + 1]);
const command = words[words.indexOf('--check') + 1].replace('tests=', '');
exec(command, { timeout: seconds * 1000, maxBuffer: Infinity }, (error, stdout, stderr) => {
  const detail = error?.killed
    ? `Not finished within ${seconds * 1000} ms.`
    : `Exit code ${error?.code ?? 0}.`;
  const check = { status: error === null ? 'pass' : 'fail', detail, output: stdout + stderr };
  process.stdout.write(
    `${JSON.stringify({ type: 'baseline_evaluated', evaluation: { checks: [check] } })}\n`,
  );
  process.exitCode = error === null ? 0 : 1;
});
