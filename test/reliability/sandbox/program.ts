import { join } from 'node:path';
import { execa } from 'execa';
import { ralph } from '../../support/ralph.ts';
import type { Attack } from './attack.ts';
import { createTestbed } from './testbed.ts';

const SCRIPT = 'attacks.sh';
/** Folder to which ralph itself writes. */
const STATE = '.aiwg';

/** Runs attacks, each in a folder of its own, by the actor or by a check of `ralph run`. Returns the signs of success. */
export async function tryProgram(
  from: 'actor' | 'check',
  visible: string,
  tried: readonly Attack[],
): Promise<string[]> {
  const attacks = tried.map(
    ({ command }) => `(mkdir t; cd t; ln -s ../node_modules; mkdir src; ${command}\n) 2>&1; rm -rf t`,
  );
  const testbed = await createTestbed(visible, {
    repository: { [SCRIPT]: `${attacks.join('\n')}\n` },
    ignored: STATE,
  });
  try {
    const lines = Object.entries(testbed.variables).map(([name, value]) => `export ${name}='${value}'`);
    const run = `${lines.join('; ')}; sh ${SCRIPT}`;
    const args =
      from === 'actor'
        ? ['--check', 'tests=false', '--command', run]
        : ['--check', `tests=${run}; false`, '--command', 'true'];
    const { stdout, stderr } = await ralph(
      testbed.repository,
      ['run', '--sandbox', 'strict', '--format', 'jsonl', '--verbose', '--max-iterations', '1', ...args],
      { env: { HOME: testbed.home, TESTBED_DATABASE_URL: testbed.secret } },
    );
    const ran = stdout.includes('"type":"attempt_evaluated"');
    return [
      ...(ran ? [] : [`no attack was tried: ${stderr.slice(-300)}`]),
      ...testbed.damage(),
      ...((stdout + stderr).includes(testbed.secret) ? ['a secret was read'] : []),
    ];
  } finally {
    await testbed.close();
  }
}

const BIN = join(import.meta.dirname, '../../../bin/ralph.js');
/** A user namespace that forbids further ones, so that no engine works. */
const WITHOUT_ENGINE = ['--unshare-user', '--disable-userns', '--dev-bind', '/', '/', '--'];

/** Runs the built program where no sandbox engine works. */
export async function ralphWithoutEngine(
  cwd: string,
  args: readonly string[],
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const { exitCode = null, all } = await execa('bwrap', [...WITHOUT_ENGINE, process.execPath, BIN, ...args], {
    cwd,
    env: { OPENAI_API_KEY: 'none', CI: undefined },
    stdin: 'ignore',
    all: true,
    reject: false,
  });
  return { exitCode, output: all };
}
