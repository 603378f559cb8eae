/**
 * `node late-start.ts FOLDER`: runs a program in bubblewrap that creates FOLDER/begun. bubblewrap itself starts half a second
 * after it was asked to; FOLDER/asked exists from then on.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';
import { createBubblewrap } from '../../../src/platform/sandbox/bubblewrap.ts';
import { workspacePolicy } from '../../../src/platform/sandbox/policy.ts';

const root = process.argv[2]!;
const late = join(root, 'late-bwrap');
writeFileSync(late, `#!/bin/sh\ntouch ${root}/asked\nsleep 0.5\nexec bwrap "$@"\n`);
chmodSync(late, 0o755);
const place = { root, repository: root, dependencies: [] };
const policy = workspacePolicy(place, { network: false, passEnv: [], read: [], write: [] });
const sandbox = createBubblewrap(late, policy);
await runProcess({ shell: `touch ${root}/begun; sleep 30`, cwd: root, env: childEnvironment(), sandbox });
