import { expect, test } from 'vitest';
import { problemOfFiles, problemOfManifest, type PatchedFile } from '../../../src/ci/rules/patch-rules.ts';

interface Sizes {
  readonly before?: number;
  readonly after?: number;
}

const file = (path: string, { before, after }: Sizes = { before: 10, after: 12 }): PatchedFile => ({
  path,
  before,
  after,
});

test.each([
  '.travis.yml',
  '.drone.yml',
  '.woodpecker.yml',
  '.woodpecker/build.yaml',
  '.gitea/workflows/ci.yaml',
  '.forgejo/workflows/ci.yml',
  'buildspec.yml',
  'buildspec-release.yaml',
  'Jenkinsfile',
  'jenkinsfile.groovy',
  'packages/a/.claude/settings.json',
  '.mcp.json',
  '.envrc',
  '.npmrc',
  '.vscode/tasks.json',
  '.devcontainer/devcontainer.json',
  'lefthook.yml',
  'Azure-Pipelines-release.yml',
  'cloudbuild.yaml',
  'bors.toml',
  'shop.code-workspace',
])('%s is refused, and --allow does not permit it', (path) => {
  expect(problemOfFiles([file('src/a.js'), file(path)], [])).toContain(JSON.stringify(path));
  expect(problemOfFiles([file(path)], ['**'])).toContain('run by themselves');
});

test.each(['src/travis.js', 'src/claude.ts', 'lib/envrc.js', 'docs/jenkins.md', 'src/app.json.js', 'a.b'])(
  '%s is not refused',
  (path) => {
    expect(problemOfFiles([file(path)], [])).toBeUndefined();
  },
);

test('instructions for agents need --allow', () => {
  expect(problemOfFiles([file('AGENTS.md')], [])).toContain('--allow "AGENTS.md"');
  expect(problemOfFiles([file('AGENTS.md')], ['AGENTS.md'])).toBeUndefined();
});

test.each([
  'npm-shrinkwrap.json',
  'web/Yarn.lock',
  'bun.lock',
  'Cargo.lock',
  'go.sum',
  'deno.json',
  'test/add.test.js.snapshot',
])('the new file %s needs --allow', (path) => {
  expect(problemOfFiles([file(path, { after: 2 })], [])).toContain(`--allow "${path}"`);
  expect(problemOfFiles([file(path, { after: 2 })], [path])).toBeUndefined();
});

test.each([
  ['Dockerfile', 'src/dockerfile.js'],
  ['web/api.dockerfile', 'web/dockerfile.md'],
  ['Dockerfile.prod', 'Dockerfile.md'],
  ['docker-compose.override.yml', 'docs/docker-compose.md'],
  ['deploy/compose.yaml', 'src/compose.js'],
  ['infra/main.tf', 'src/main.ts'],
  ['helm/templates/job.yaml', 'src/helm/job.ts'],
  ['serverless.yml', 'src/serverless.js'],
  ['ecosystem.config.cjs', 'src/ecosystem.ts'],
  ['nodemon.json', 'src/nodemon.js'],
  ['Makefile', 'src/makefile-parser.js'],
  ['mk/rules.mk', 'mk/rules.md'],
  ['Justfile', 'src/just.js'],
  ['Taskfile.dist.yml', 'src/taskfile.js'],
  ['gulpfile.mjs', 'src/gulp-file.js'],
  ['Gruntfile.js', 'src/grunt.js'],
  ['Rakefile', 'src/rake.rb'],
  ['CMakeLists.txt', 'docs/cmake.txt'],
  ['build.gradle.kts', 'src/gradle.kt'],
  ['app/pom.xml', 'app/pom.md'],
  ['build.rs', 'src/build_info.rs'],
  ['Cargo.toml', 'src/cargo.rs'],
  ['go.mod', 'src/mod.go'],
  ['setup.py', 'src/set_up.py'],
  ['pyproject.toml', 'docs/pyproject.md'],
  ['requirements-dev.txt', 'docs/needs.txt'],
  ['Gemfile', 'src/gem.rb'],
  ['adder.gemspec', 'src/spec.rb'],
  ['ext/extconf.rb', 'ext/conf.rb'],
  ['composer.json', 'src/composer.js'],
  ['native/addon.gypi', 'native/addon.c'],
  ['Package.swift', 'src/Packages.swift'],
  ['ios/Podfile', 'ios/Pod.swift'],
  ['shop.csproj', 'src/shop.cs'],
  ['Directory.Build.props', 'src/Directory.cs'],
  ['lerna.json', 'src/lerna.js'],
  ['package.json5', 'src/package.json.js'],
  ['docs/conf.py', 'docs/config.md'],
  ['npm.cmd', 'src/npm-cmd.js'],
  ['git.exe', 'src/git.ts'],
  ['assets/Desktop.ini', 'assets/desktop.png'],
  ['x/HEAD', 'src/head.js'],
  ['rules/style.mdc', 'rules/style.mdx'],
  ['Ｄockerfile', 'Ｄocker.md'],
  ['\u0421argo.toml', '\u0421argo.md'],
  ['Make\uFB01le', 'Make\uFB01les.md'],
  ['\u2024hidden', 'hidden'],
])('%s needs --allow, %s does not', (path, control) => {
  expect(problemOfFiles([file(path)], [])).toContain(`--allow ${JSON.stringify(path)} permits it`);
  expect(problemOfFiles([file(path)], [path])).toBeUndefined();
  expect(problemOfFiles([file(control)], [])).toBeUndefined();
});

test('bytes are those of the files', () => {
  const size = 1024 * 1024;
  expect(problemOfFiles([file('a', { after: size + 1 })], [])).toContain('adds 1048577 bytes');
  const halves = [file('a', { after: size / 2 }), file('b', { after: size / 2 + 1 })];
  expect(problemOfFiles(halves, [])).toContain('adds 1048577 bytes');
  expect(problemOfFiles([file('a', { before: 9 * size, after: 9 * size })], [])).toContain('at most 8388608');
  const grown = [file('a', { before: 2 * size, after: 3 * size }), file('b', { before: size })];
  expect(problemOfFiles(grown, [])).toBeUndefined();
});

const BASE = {
  name: 'a',
  version: '1.0.0',
  scripts: { test: 'node --test' },
  dependencies: { b: '^1.0.0' },
  exports: './a.js',
};

test.each([
  ['scripts', { scripts: { test: 'node --test', postinstall: 'curl x' } }],
  ['dependencies', { dependencies: { b: 'file:../c' } }],
  ['devDependencies', { devDependencies: { c: '*' } }],
  ['optionalDependencies', { optionalDependencies: { c: '*' } }],
  ['husky', { husky: { hooks: { 'pre-commit': 'x' } } }],
  ['simple-git-hooks', { 'simple-git-hooks': { 'pre-commit': 'x' } }],
  ['lint-staged', { 'lint-staged': { '*': 'x' } }],
  ['publishConfig', { publishConfig: { registry: 'https://example.invalid' } }],
  ['bin', { bin: './x.js' }],
  ['version', { version: '2.0.0' }],
  ['unknown', { unknown: 1 }],
  ['__proto__', JSON.parse('{"__proto__": {"scripts": {}}}') as object],
])('a change of the key %s of package.json is refused', (key, change) => {
  const after = JSON.stringify(change).startsWith('{"__proto__"')
    ? JSON.stringify(BASE).replace('{', '{"__proto__":{"a":1},')
    : JSON.stringify({ ...BASE, ...change });
  expect(problemOfManifest('package.json', JSON.stringify(BASE), after)).toContain(`the key "${key}"`);
});

test.each([
  ['nothing but the layout', BASE],
  ['exports', { ...BASE, exports: './b.js' }],
  ['a description', { ...BASE, description: 'adds' }],
])('a change of %s is not', (_, after) => {
  expect(
    problemOfManifest('package.json', JSON.stringify(BASE), JSON.stringify(after, null, 2)),
  ).toBeUndefined();
});

test.each([
  ['new', undefined, '{}', 'adds'],
  ['removed', '{}', undefined, 'removes'],
  ['not JSON', '{}', '{', 'no object of JSON'],
  ['a list', '{}', '[]', 'no object of JSON'],
])('a package.json that is %s is refused', (_, before, after, said) => {
  expect(problemOfManifest('a/package.json', before, after)).toContain(said);
});
