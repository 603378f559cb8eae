import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';

const MODULE = join(import.meta.dirname, '../../src/cli/late-rejections.ts');

/** Runs a program that reports rejections which nothing handles as `left: MESSAGE`, with exit code 4. */
function run(body: string, isKept = true) {
  const report = "(reason) => { console.log('left: ' + reason.message); return 4; }";
  const begin = isKept
    ? `import { awaitRejections } from ${JSON.stringify(MODULE)};\nawaitRejections(${report});`
    : '';
  const code = `${begin}\nconst later = (ms) => new Promise((done) => setTimeout(done, ms));\n${body}`;
  return execa(process.execPath, ['--input-type=module', '--eval', code], { reject: false });
}

const AWAITED_LATER =
  "const begun = Promise.reject(new Error('full')); await later(50); await begun.catch(() => console.log('caught'));";

describe('a rejection that nothing handles yet', () => {
  it('is left to the step that awaits it later', async () => {
    expect(await run(AWAITED_LATER)).toMatchObject({ stdout: 'caught', exitCode: 0, stderr: '' });
  });

  it('would end the process with a stack trace otherwise', async () => {
    const { stderr, exitCode } = await run(AWAITED_LATER, false);
    expect(stderr).toMatch(/^ +at /m);
    expect(exitCode).toBe(1);
  });

  it('is reported at the end if nothing awaits it', async () => {
    const ended = await run("void Promise.reject(new Error('lost')); await later(50);");
    expect(ended).toMatchObject({ stdout: 'left: lost', exitCode: 4, stderr: '' });
  });
});
