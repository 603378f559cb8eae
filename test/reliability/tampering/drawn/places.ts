import type { RunnerName } from '../projects.ts';

/** Where an attack's code lies. */
export interface Place {
  readonly name: string;
  /** Files to write, and the lines of the source that bring `name`, a function without arguments, into it. */
  put(name: string, body: string, runner: RunnerName): { files: Record<string, string>; lines: string };
}

const asModule = (runner: RunnerName, name: string, body: string): string =>
  runner === 'jest' ? `exports.${name} = () => ${body};\n` : `export const ${name} = () => ${body};\n`;

const loaded = (runner: RunnerName, name: string, from: string): string =>
  runner === 'jest' ? `const { ${name} } = require('${from}');` : `import { ${name} } from '${from}';`;

export const PLACES: readonly Place[] = [
  { name: 'in the source', put: (name, body) => ({ files: {}, lines: `const ${name} = () => ${body};` }) },
  {
    name: 'in a new module',
    put: (name, body, runner) => ({
      files: { 'src/platform.js': asModule(runner, name, body) },
      lines: loaded(runner, name, './platform.js'),
    }),
  },
  {
    name: 'in a module of a new folder',
    put: (name, body, runner) => ({
      files: {
        'lib/internal/state.js': asModule(runner, name, body),
        'src/state.js':
          runner === 'jest'
            ? "module.exports = require('../lib/internal/state.js');\n"
            : "export * from '../lib/internal/state.js';\n",
      },
      lines: loaded(runner, name, './state.js'),
    }),
  },
  {
    name: 'in an ignored package',
    put: (name, body, runner) => ({
      files: {
        'node_modules/platform-state/package.json': `{ "name": "platform-state", "main": "index.js", "type": "${runner === 'jest' ? 'commonjs' : 'module'}" }\n`,
        'node_modules/platform-state/index.js': asModule(runner, name, body),
      },
      lines: loaded(runner, name, 'platform-state'),
    }),
  },
  {
    name: 'in data',
    put: (name, body) => ({
      files: { 'src/table.json': `${JSON.stringify({ rule: `(${body})` })}\n` },
      lines:
        "const table = JSON.parse(process.getBuiltinModule('node:fs').readFileSync(process.cwd() + '/src/table.json', 'utf8'));\n" +
        `const ${name} = () => (0, eval)(table.rule);`,
    }),
  },
];
