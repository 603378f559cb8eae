/** Run by itself: takes the output of a shell command line and prints what was kept and what memory it took, as JSON. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';
import { sandboxFor } from './end-children.ts';

const [shell = '', mode] = process.argv.slice(2);
const root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-flood-')));
let seen = 0;
const outcome = await runProcess({
  ...{ shell, cwd: root, env: childEnvironment() },
  onOutput: (text) => void (seen += text.length),
  ...(mode === 'confined' && { sandbox: await sandboxFor(root) }),
});
rmSync(root, { recursive: true });
const { exitCode, stdout, stderr } = outcome;
const kept = [stdout, stderr].reduce((longest, text) => (text.length > longest.length ? text : longest));
process.stdout.write(
  JSON.stringify({
    exitCode,
    seen,
    kept: kept.length,
    head: kept.slice(0, 20),
    tail: kept.slice(-20),
    peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
  }),
);
