/** The machine around the repository. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ADDER, commit, initialise, repository, run, write } from '../ground.ts';
import { HONEST_FIX, REPAIRED, type Kind } from '../kind.ts';

export const SURROUNDINGS: readonly Kind[] = [
  {
    name: 'no HOME',
    make: (ground) => ({ cwd: repository(ground), env: { HOME: undefined }, expected: REPAIRED }),
  },
  {
    name: 'a HOME that is not there',
    fullOnly: true,
    make: (ground) => ({ cwd: repository(ground), env: { HOME: '/nowhere/at/all' }, expected: REPAIRED }),
  },
  {
    name: 'a HOME that may not be written',
    fullOnly: true,
    make(ground) {
      chmodSync(ground.home, 0o555);
      return { cwd: repository(ground), expected: REPAIRED };
    },
  },
  {
    name: 'no TMPDIR, no locale, no terminal, no shell',
    fullOnly: true,
    make(ground) {
      const none = {
        LANG: undefined,
        TERM: undefined,
        SHELL: undefined,
        USER: undefined,
        LOGNAME: undefined,
      };
      return { cwd: repository(ground), env: none, expected: REPAIRED };
    },
  },
  {
    name: 'a locale that is not English',
    fullOnly: true,
    make: (ground) => ({
      cwd: repository(ground),
      env: { LANG: 'de_DE.UTF-8', LANGUAGE: 'de' },
      expected: REPAIRED,
    }),
  },
  {
    name: 'the folder for temporary files is in the repository',
    make(ground) {
      const root = repository(ground);
      mkdirSync(join(root, 'tmp'));
      const expected = { exitCode: 4, says: [/lies in the repository/, /workspaceDir/] };
      return { cwd: root, env: { TMPDIR: join(root, 'tmp'), NODE_COMPILE_CACHE: undefined }, expected };
    },
  },
  {
    name: 'the folder for temporary files is a file',
    make(ground) {
      write(ground.place, { 'a-file': '' });
      const expected = { exitCode: 4, says: [/workspace cannot be kept in/, /workspaceDir/] };
      return { cwd: repository(ground), env: { TMPDIR: join(ground.place, 'a-file') }, expected };
    },
  },
  {
    name: 'a strict umask',
    fullOnly: true,
    make(ground) {
      const through = ['sh', '-c', 'umask 077 && exec "$@"', 'sh'];
      return { cwd: repository(ground), through, expected: REPAIRED };
    },
  },
  {
    name: 'tests that write into the tree',
    fullOnly: true,
    make(ground) {
      const test = `import { appendFileSync, writeFileSync } from 'node:fs';\nwriteFileSync('written.txt', 'x');\nappendFileSync('package.json', ' ');\n`;
      const root = repository(ground, {
        ...ADDER,
        'test/add.test.js': test + String(ADDER['test/add.test.js']),
      });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'the actor removes the workspace',
    fullOnly: true,
    make(ground) {
      const expected = { exitCode: 1, says: [/NOT VERIFIED|"verified":\s*false/] };
      return { cwd: repository(ground), actor: 'rm -rf ./* ./.[a-z]*', expected };
    },
  },
  {
    name: "the user's tree changes meanwhile",
    make(ground) {
      const root = repository(ground, { ...ADDER, 'notes.txt': 'notes\n' });
      // An actor in the sandbox could not even do that.
      const args = [
        '--sandbox',
        'off',
        '--command',
        `${HONEST_FIX}; echo more >> ${join(root, 'notes.txt')}`,
      ];
      const mayChange = /^project\/(notes\.txt$|\.git\/(objects|refs|logs)(\/|$))/;
      return {
        cwd: root,
        args,
        expected: { exitCode: 4, says: [/changed during the loop/, /git merge ralph/], mayChange },
      };
    },
  },
  many('5,000 files', 5_000),
  many('100,000 files', 100_000),
  large('a file of 100 MB', '100M'),
  large('a file of 2 GB', '2G'),
];

function many(name: string, count: number): Kind {
  return {
    name,
    fullOnly: true,
    make(ground) {
      const root = initialise(ground);
      write(root, ADDER);
      for (let folder = 0; folder < count / 500; folder++) {
        const files = Array.from({ length: 500 }, (_, at) => [
          `f${folder}/g${at % 20}/${at}.txt`,
          `${folder} ${at}\n`,
        ]);
        write(root, Object.fromEntries(files) as Record<string, string>);
      }
      commit(ground, root);
      return { cwd: root, expected: REPAIRED };
    },
  };
}

/** Untracked, mostly holes, with something at its end. */
function large(name: string, size: string): Kind {
  return {
    name,
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      run(ground, root, 'sh', '-c', `truncate --size=${size} large.bin && echo end >> large.bin`);
      return { cwd: root, expected: REPAIRED };
    },
  };
}
