/**
 * `npm run check`: runs every script of package.json that begins with `check:`, two at the same time, and prints the output
 * of each when it ends. Exits with 1 if one failed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import pLimit from 'p-limit';

const root = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};
const names = Object.keys(scripts).filter((name) => name.startsWith('check:'));
const limit = pLimit(2);

const codes = await Promise.all(
  names.map((name) =>
    limit(async () => {
      const { all, exitCode } = await execa('npm', ['run', '--silent', name], {
        cwd: root,
        all: true,
        reject: false,
      });
      console.log(`${exitCode === 0 ? 'ok    ' : 'failed'}  ${name}`);
      if (all !== '') console.log(all);
      return exitCode;
    }),
  ),
);
if (codes.some((code) => code !== 0)) process.exitCode = 1;
