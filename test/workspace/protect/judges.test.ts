import { describe, expect, it, test } from 'vitest';
import { namedByCommands, mayNotBeAdded } from '../../../src/workspace/protect/judges.ts';
import { openWorkspace, temporaryRepository, type Files } from '../temporary-repository.ts';

const PRODUCT = "import { a } from './src/a.js';\nconsole.log(a);\n";
const FILES: Files = {
  'package.json': JSON.stringify({
    main: './index.js',
    bin: { tool: 'tool.js' },
    scripts: {
      check: 'npm run inner -- --all',
      inner: 'node acc.mjs',
      precheck: 'sh prepare.sh',
      made: 'make check',
    },
  }),
  'acc.mjs': PRODUCT,
  'prepare.sh': 'true\n',
  'check.sh': 'true\n',
  'sourcing.sh': '. ./lib/fns.sh\nneed "$(node tool.js)" 3\n',
  'lib/fns.sh': 'need() { test "$1" = "$2"; }\n',
  'expected.txt': '3\n',
  'src/ok.py': '',
  judge: './cmp.d/run "$(node tool.js)"\n',
  'cmp.d/run': 'exit 0\n',
  'rules.mk': 'CMP = true\n',
  'config.mk': 'WANT := 3\n',
  'tool.js': PRODUCT,
  'other.js': PRODUCT,
  'plain.js': 'console.log(1);\n',
  'bin/desk.js': "#!/usr/bin/env node\nimport { a } from '../src/a.js';\nconsole.log(a);\n",
  'bin/verify.js': PRODUCT,
  'src/a.js': "export const a = Object.keys(readJson('locales/a.json')).length;\n",
  'src/verify.js': '',
  'src/selftest.js':
    "import assert from 'node:assert/strict';\nimport { a } from './a.js';\nassert.equal(a, 1);\n",
  'src/checked.js': "import assert from 'node:assert';\nassert.ok(1);\nexport const b = 2;\n",
  'src/compares.js': "import { a } from './a.js';\nprocess.exitCode = a === 1 ? 0 : 1;\n",
  'src/throws.js':
    "import { a } from './a.js';\nimport { want } from './want.js';\nimport { make } from './make.js';\nif (make(a) !== want)\n  throw new Error('a');\n",
  'src/want.js': 'export const want = 1;\n',
  'src/make.js': 'export const make = (it) => it;\n',
  'feeding.sh': 'node tool.js | awk -f sum.prog\nxargs -a cases.list -n2 ./run < more.list\n',
  'sum.prog': '$1 != 3 { exit 1 }\n',
  'cases.list': '6 3\n',
  'more.list': '6 3\n',
  'case.env': 'WANT=3\n',
  'src/asks.js':
    "import { a } from './a.js';\nif (process.argv[2] === '-h') process.exit(0);\nconsole.log(a);\n",
  'reading.sh': 'DIR=conf\n. ./project.env\n. $DIR/names.env\ntest "$(node tool.js $N)" = 3\n',
  'project.env': 'N=6\n',
  'conf/names.env': 'M=6\n',
  'lib/judge.py': 'import json, wanted\nfrom parts.more import it\n',
  'lib/wanted.py': 'WANT = 3\n',
  'lib/parts/more.py': 'it = 3\n',
  'scripts/verify.mjs': "import './parts/helper.js';\nimport '../plain.js';\nimport '../src/a.js';\n",
  'scripts/parts/helper.js': '',
  'hooks.cjs': "require('./src/a.js');\n",
  'tools/notes.md': '',
  'packages/b/package.json': JSON.stringify({ scripts: { test: 'node ./run-tests' } }),
  'packages/b/run-tests.js': '',
  'compare.sh':
    'for it in $(cat lists/all.txt); do\n  test "$(node tool.js golden/$it.js)" = "$(cat "golden/$it")"\ndone\ncp packages/$it/x.txt .\n',
  'scripts/compare.mjs':
    "import './../src/a.js';\nfor (const name of readdirSync('golden')) compare(`locales/${name}`);\n",
  'scripts/judge.py': "for want in glob.glob('golden/*.out'): pass\n",
  'locales/a.json': '{}',
  'lists/all.txt': 'a\n',
  'golden/a.out': '3\n',
  'golden/b.sum': '3\n',
  'golden/a.js': '',
  'golden/notes.md': '',
  Makefile: 'CONF := config\ninclude rules.mk\ninclude $(CONF).mk\ncheck:\n\ttrue\n\t@-sh check.sh\n',
};

async function named(command: string, task = '', cwd = '.'): Promise<readonly string[]> {
  const { workspace, snapshots } = await openWorkspace(temporaryRepository(FILES));
  return namedByCommands({ commands: [{ command, cwd }], task }, workspace.base, snapshots);
}

describe('namedByCommands', () => {
  test.each([
    ['a shell script', 'sh check.sh', ['check.sh']],
    ['a script and what it sources', 'sh sourcing.sh', ['lib/fns.sh', 'sourcing.sh']],
    ['a program in another language', 'python3 src/ok.py', ['src/ok.py']],
    ['a script without an ending, and what it runs', 'sh judge', ['cmp.d/run', 'judge']],
    ['a list of patterns', 'node tool.js | grep -qxFf expected.txt', ['expected.txt']],
    ['data that is compared with', 'node tool.js | diff - expected.txt', ['expected.txt']],
    ['no data that is searched', 'grep -q 3 expected.txt', []],
    ['a script as its own program', 'A=1 ./check.sh --fast', ['check.sh']],
    ['one of several commands', 'test -d src && ( bash -e check.sh )', ['check.sh']],
    [
      'a program in a folder of checks and its helpers',
      'node --enable-source-maps scripts/verify.mjs',
      ['scripts/parts/helper.js', 'scripts/verify.mjs'],
    ],
    ['a program that loads the product', 'node acc.mjs', ['acc.mjs']],
    ['a checking program among those of the product', 'node bin/verify.js', ['bin/verify.js']],
    ['a source that asserts something about another one', 'node src/selftest.js', ['src/selftest.js']],
    ['a source that compares what it imports', 'node src/compares.js', ['src/compares.js']],
    [
      'a source that throws, and the values that it compares with',
      'node src/throws.js',
      ['src/throws.js', 'src/want.js'],
    ],
    [
      'files that feed the tools of a script',
      'sh feeding.sh',
      ['cases.list', 'feeding.sh', 'more.list', 'sum.prog'],
    ],
    ['variables of a file', 'node --env-file=case.env tool.js', ['case.env']],
    ['no source that asks its user', 'node src/asks.js', []],
    [
      'what a script reads as a part of itself',
      'sh reading.sh',
      ['conf/names.env', 'project.env', 'reading.sh'],
    ],
    [
      'modules beside a program in another language',
      'python3 lib/judge.py',
      ['lib/judge.py', 'lib/parts/more.py', 'lib/wanted.py'],
    ],
    ['no source that asserts something about itself', 'node src/checked.js', []],
    ['a module that an option loads', 'node --import ./hooks.cjs src/a.js', ['hooks.cjs']],
    [
      'a source that an option loads and no entry reaches',
      'node --import ./src/verify.js --test',
      ['src/verify.js'],
    ],
    ['no source that an entry reaches', 'node --import ./src/a.js --test', []],
    ['the same in one word', 'node --require=./hooks.cjs src/a.js', ['hooks.cjs']],
    ['scripts of package.json, and those that they call', 'npm run check', ['prepare.sh', 'acc.mjs']],
    [
      'a Makefile, what it includes and what its recipes run',
      'make check',
      ['Makefile', 'check.sh', 'config.mk', 'rules.mk'],
    ],
    [
      'data in folders that a checking program reads, unless the product names the folder',
      'node scripts/compare.mjs',
      ['golden/a.out', 'golden/b.sum', 'scripts/compare.mjs'],
    ],
    [
      'data that a program in Python lists',
      'python3 scripts/judge.py',
      ['golden/a.out', 'golden/b.sum', 'scripts/judge.py'],
    ],
    [
      'the data that a script takes by a name in a variable, and what it prints with cat',
      'sh compare.sh',
      ['compare.sh', 'golden/a.out', 'golden/b.sum', 'lists/all.txt'],
    ],
  ])('finds %s', async (_, command, files) => {
    expect([...(await named(command))].sort()).toEqual([...files].sort());
  });

  it('finds scripts of a package by its own folder', async () => {
    expect(await named('npm test', '', 'packages/b')).toEqual(['packages/b/run-tests.js']);
  });

  test.each([
    ['a source', 'node src/verify.js'],
    ['an entry of package.json', 'node tool.js --version'],
    ['a program of the product in bin', 'node bin/desk.js 17 4 | grep -qx 4.25'],
    ['a program that loads nothing of the repository', 'node plain.js'],
    ['a file that a command only reads', 'grep -q done tools/notes.md && test -f check.sh'],
    ['a name that is no file', 'cargo test'],
  ])('leaves out %s', async (_, command) => {
    expect(await named(command)).toEqual([]);
  });

  it('leaves out what the task names', async () => {
    expect(await named('node other.js')).toEqual(['other.js']);
    expect(await named('node other.js', 'Let other.js print 2')).toEqual([]);
  });
});

describe('mayNotBeAdded', () => {
  const refused = async (command: string, task = ''): Promise<readonly string[]> => {
    const { workspace, snapshots } = await openWorkspace(temporaryRepository(FILES));
    return mayNotBeAdded({ commands: [{ command, cwd: '.' }], task }, workspace.base, snapshots);
  };

  test.each([
    ['a Makefile that make prefers', 'make -s check', 'GNUmakefile'],
    ['the same through a script of package.json', 'npm run made', 'GNUmakefile'],
    ['a checking program that does not exist', 'node scripts/accept.mjs --all', 'scripts/accept.mjs'],
    ['modules beside a checking program in Python', 'python3 scripts/judge.py', 'scripts/*/__init__.py'],
  ])('has %s', async (_, command, name) => {
    expect(await refused(command)).toContain(name);
  });

  test.each([
    ['a checking program that exists', 'node scripts/verify.mjs'],
    ['a program of the product that does not exist', 'node bin/tool.mjs --version'],
    ['a folder of tests', 'test -d test && node --test test/'],
    ['a source in Python', 'python3 src/ok.py'],
  ])('has no %s', async (_, command) => {
    expect(await refused(command)).toEqual([]);
  });

  it('leaves out what the task names', async () => {
    expect(await refused('sh new-check.sh', 'Write new-check.sh')).toEqual([]);
  });
});
