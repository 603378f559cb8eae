/** `node flood-run.ts COMMAND [confined]`: runs a shell command; prints the kept output and the peak of memory as JSON. */
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';
import { peakMemoryOf } from '../peak-memory.ts';
import { sandboxFor } from './end-children.ts';

const [shell = '', mode] = process.argv.slice(2);
const root = makeTemporaryFolder('flood');
let seen = 0;
const outcome = await runProcess({
  shell,
  cwd: root,
  env: childEnvironment(),
  onOutput: (text) => void (seen += text.length),
  sandbox: mode === 'confined' ? await sandboxFor(root) : undefined,
});
removeTemporaryFolder(root);
const { exitCode, stdout, stderr } = outcome;
const kept = [stdout, stderr].reduce((longest, text) => (text.length > longest.length ? text : longest));
process.stdout.write(
  JSON.stringify({
    exitCode,
    seen,
    kept: kept.length,
    head: kept.slice(0, 20),
    tail: kept.slice(-20),
    peakMb: peakMemoryOf('self'),
  }),
);
