/** Environments of the process, and large repositories. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ADDER, commit, initialise, repository, run, write } from '../testbed.ts';
import { HONEST_FIX, REPAIRED, type Kind } from '../kind.ts';

export const SURROUNDINGS: readonly Kind[] = [
  {
    name: 'no HOME',
    make: (testbed) => ({ cwd: repository(testbed), env: { HOME: undefined }, expected: REPAIRED }),
  },
  {
    name: 'a HOME that does not exist',
    fullOnly: true,
    make: (testbed) => ({ cwd: repository(testbed), env: { HOME: '/nowhere/at/all' }, expected: REPAIRED }),
  },
  {
    name: 'a read-only HOME',
    fullOnly: true,
    make(testbed) {
      chmodSync(testbed.home, 0o555);
      return { cwd: repository(testbed), expected: REPAIRED };
    },
  },
  {
    name: 'no locale, terminal, shell or user name',
    fullOnly: true,
    make(testbed) {
      const none = {
        LANG: undefined,
        TERM: undefined,
        SHELL: undefined,
        USER: undefined,
        LOGNAME: undefined,
      };
      return { cwd: repository(testbed), env: none, expected: REPAIRED };
    },
  },
  {
    name: 'a German locale',
    fullOnly: true,
    make: (testbed) => ({
      cwd: repository(testbed),
      env: { LANG: 'de_DE.UTF-8', LANGUAGE: 'de' },
      expected: REPAIRED,
    }),
  },
  {
    name: 'TMPDIR is in the repository',
    make(testbed) {
      const root = repository(testbed);
      mkdirSync(join(root, 'tmp'));
      const expected = { exitCode: 4, messages: [/lies in the repository/, /workspaceDir/] };
      return { cwd: root, env: { TMPDIR: join(root, 'tmp'), NODE_COMPILE_CACHE: undefined }, expected };
    },
  },
  {
    name: 'TMPDIR is a file',
    make(testbed) {
      write(testbed.place, { 'a-file': '' });
      const expected = { exitCode: 4, messages: [/workspace cannot be kept in/, /workspaceDir/] };
      return { cwd: repository(testbed), env: { TMPDIR: join(testbed.place, 'a-file') }, expected };
    },
  },
  {
    name: 'a strict umask',
    fullOnly: true,
    make(testbed) {
      const prefix = ['sh', '-c', 'umask 077 && exec "$@"', 'sh'];
      return { cwd: repository(testbed), prefix, expected: REPAIRED };
    },
  },
  {
    name: 'tests that write to the tree',
    fullOnly: true,
    make(testbed) {
      const test = `import { appendFileSync, writeFileSync } from 'node:fs';\nwriteFileSync('written.txt', 'x');\nappendFileSync('package.json', ' ');\n`;
      const root = repository(testbed, {
        ...ADDER,
        'test/add.test.js': test + String(ADDER['test/add.test.js']),
      });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'the actor removes the workspace',
    fullOnly: true,
    make(testbed) {
      const expected = { exitCode: 1, messages: [/NOT VERIFIED|"verified":\s*false/] };
      return { cwd: repository(testbed), actor: 'rm -rf ./* ./.[a-z]*', expected };
    },
  },
  {
    name: 'the repaired file changes in the tree of the user during the run',
    make(testbed) {
      const root = repository(testbed);
      // In the sandbox the actor could not write there.
      const args = [
        '--sandbox',
        'off',
        '--command',
        `${HONEST_FIX}; echo '// more' >> ${join(root, 'src/add.js')}`,
      ];
      const mayChange = /^project\/(src\/add\.js$|\.git\/(objects|refs|logs)(\/|$))/;
      return {
        cwd: root,
        args,
        expected: { exitCode: 4, messages: [/changed during the loop/, /git merge ralph/], mayChange },
      };
    },
  },
  {
    name: 'another file of the user changes during the run',
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'notes.txt': 'notes\n' });
      const args = [
        '--sandbox',
        'off',
        '--command',
        `${HONEST_FIX}; echo more >> ${join(root, 'notes.txt')}`,
      ];
      const expected = {
        repaired: ['project/src/add.js'],
        messages: [/notes\.txt/],
        mayChange: /^project\/notes\.txt$/,
      };
      return { cwd: root, args, expected };
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
    make(testbed) {
      const root = initialise(testbed);
      write(root, ADDER);
      for (let folder = 0; folder < count / 500; folder++) {
        const files = Array.from({ length: 500 }, (_, at) => [
          `f${folder}/g${at % 20}/${at}.txt`,
          `${folder} ${at}\n`,
        ]);
        write(root, Object.fromEntries(files) as Record<string, string>);
      }
      commit(testbed, root);
      return { cwd: root, expected: REPAIRED };
    },
  };
}

/** A large sparse untracked file. */
function large(name: string, size: string): Kind {
  return {
    name,
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      run(testbed, root, 'sh', '-c', `truncate --size=${size} large.bin && echo end >> large.bin`);
      return { cwd: root, expected: REPAIRED };
    },
  };
}
