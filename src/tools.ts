/**
 * The table of test runners, type checkers and linters: one row per tool that a check can run. To add a tool, see
 * `checks/README.md`.
 */
import { parseJestReport } from './checks/parsers/jest.ts';
import { parseOwnReport } from './checks/parsers/own-report.ts';
import type { OptionRules } from './checks/run/option-rules.ts';
import { avaArguments, avaNodeArguments, avaOptions } from './checks/tools/ava.ts';
import { createCommandCheck } from './checks/tools/command.ts';
import { createEslintCheck, eslintOptions } from './checks/tools/eslint.ts';
import { jestArguments, jestOptions } from './checks/tools/jest.ts';
import { mochaArguments, mochaOptions, mochaProgram } from './checks/tools/mocha.ts';
import { createNodeTestCheck, nodeTestArguments, nodeTestOptions } from './checks/tools/node-test.ts';
import { createTestCheck, type TestRunner } from './checks/tools/test-check.ts';
import { createTscCheck, tscOptions } from './checks/tools/tsc.ts';
import { vitestArguments, vitestOptions } from './checks/tools/vitest.ts';
import type { Check } from './ports.ts';
import type { CheckPlan } from './ports/plan.ts';

/** Name of a tool, as in the plan of a check. */
export type ToolName = CheckPlan['tool'];

/** A row of the table. */
export interface Tool {
  /** Which check it is; a `command` may be any of them. */
  readonly kind: 'tests' | 'types' | 'lint' | 'command';
  /** Name that people and models know it by. */
  readonly title: string;
  /** Words that start it in a script. */
  readonly programs: readonly string[];
  /** npm packages that install it under the row's name, preferred first; empty where it comes with Node or the shell. */
  readonly packages: readonly string[];
  /** Configuration files that it reads, by precedence; each shows that a package uses the tool. */
  readonly configFiles: readonly string[];
  /** Configuration files that it reads after those, and that belong to other tools as well. */
  readonly sharedConfigFiles?: readonly string[];
  /** Options that name its configuration file. */
  readonly configOptions: readonly string[];
  /** Which arguments of a script a check keeps. */
  readonly options: OptionRules;
  /** True where it takes file names and no glob patterns, so that a shell's patterns are expanded for it. */
  readonly needsExpandedGlobs?: boolean;
  /** How its tests are written; absent for tools without tests. */
  readonly dialect?: TestDialect;
  readonly create: (plan: CheckPlan) => Check;
}

/** How test files of a runner are written. */
export interface TestDialect {
  /** The third argument of a test is its time limit. */
  readonly hasTimeLimitArgument?: boolean;
  /** A test never waits for a `done` callback: it returns a promise. */
  readonly isPromiseOnly?: boolean;
  /** All tests of a file start before the first one has ended. */
  readonly startsTogether?: boolean;
  /** How a test is added to any test file; absent where that depends on the file. */
  readonly canary?: CanaryDialect;
}

/** Source text by which code at the end of any test file declares tests. */
export interface CanaryDialect {
  /** Tests assert by `node:assert`, or by the runner's own `expect`. */
  readonly assertions: 'assert' | 'expect';
  /** Binds the two names to the runner's `test` and, where it has one, `expect`. */
  readonly bind: (test: string, expect: string) => string;
}

const NO_OPTIONS: OptionRules = { drop: [], dropWithValue: [], keepWithValue: [], watch: [] };

/** All tools. Test runners are in the order in which detection tries them. */
export const tools = {
  vitest: {
    kind: 'tests',
    title: 'vitest',
    programs: ['vitest'],
    packages: ['vitest'],
    configFiles: named('vitest.config', 'ts mts cts js mjs cjs'),
    sharedConfigFiles: named('vite.config', 'ts mts cts js mjs cjs'),
    configOptions: ['-c', '--config'],
    options: vitestOptions,
    needsExpandedGlobs: true,
    dialect: {
      hasTimeLimitArgument: true,
      isPromiseOnly: true,
      canary: {
        assertions: 'expect',
        bind: (test, expect) => `import { test as ${test}, expect as ${expect} } from 'vitest';`,
      },
    },
    create: runner({ reporter: 'vitest-reporter', parse: parseOwnReport, args: vitestArguments }),
  },
  jest: {
    kind: 'tests',
    title: 'jest',
    programs: ['jest', 'jest-cli'],
    packages: ['jest', 'jest-cli'],
    configFiles: named('jest.config', 'js ts mjs mts cjs cts json'),
    configOptions: ['-c', '--config'],
    options: jestOptions,
    needsExpandedGlobs: true,
    dialect: {
      hasTimeLimitArgument: true,
      canary: {
        assertions: 'expect',
        bind: (test, expect) =>
          `const ${test} = globalThis.test ?? require('@jest/globals').test, ${expect} = globalThis.expect ?? require('@jest/globals').expect;`,
      },
    },
    create: runner({ reporter: 'jest-reporter', parse: parseJestReport, args: jestArguments }),
  },
  mocha: {
    kind: 'tests',
    title: 'mocha',
    programs: ['mocha', '_mocha'],
    packages: ['mocha'],
    configFiles: named('.mocharc', 'cjs js mjs yaml yml jsonc json'),
    configOptions: ['--config'],
    options: mochaOptions,
    dialect: {
      canary: {
        assertions: 'assert',
        bind: (test) => `const ${test} = globalThis.it ?? globalThis.test;`,
      },
    },
    create: runner({
      reporter: 'mocha-reporter',
      parse: parseOwnReport,
      program: mochaProgram,
      args: mochaArguments,
    }),
  },
  ava: {
    kind: 'tests',
    title: 'ava',
    programs: ['ava'],
    packages: ['ava'],
    configFiles: named('ava.config', 'js cjs mjs'),
    configOptions: ['--config'],
    options: avaOptions,
    dialect: { isPromiseOnly: true, startsTogether: true },
    create: runner({
      reporter: 'ava-runner',
      parse: parseOwnReport,
      nodeArgs: avaNodeArguments,
      args: avaArguments,
    }),
  },
  node: {
    kind: 'tests',
    title: 'node:test',
    // `node` runs tests with `--test` only: checks/detect/scripts/classify.ts decides.
    programs: [],
    packages: [],
    configFiles: ['node.config.json'],
    configOptions: [],
    options: nodeTestOptions,
    dialect: {
      canary: {
        assertions: 'assert',
        bind: (test) => `const ${test} = process.getBuiltinModule('node:test').test;`,
      },
    },
    create: (plan) =>
      createNodeTestCheck(plan, {
        reporter: 'node-reporter',
        parse: parseOwnReport,
        args: nodeTestArguments,
      }),
  },
  tsc: {
    kind: 'types',
    title: 'tsc',
    programs: ['tsc'],
    packages: ['typescript'],
    configFiles: ['tsconfig.json'],
    configOptions: ['-p', '--project'],
    options: tscOptions,
    needsExpandedGlobs: true,
    create: createTscCheck,
  },
  eslint: {
    kind: 'lint',
    title: 'eslint',
    programs: ['eslint'],
    packages: ['eslint'],
    configFiles: named('eslint.config', 'js mjs cjs ts mts cts'),
    configOptions: ['-c', '--config'],
    options: eslintOptions,
    create: createEslintCheck,
  },
  command: {
    kind: 'command',
    title: 'command',
    programs: [],
    packages: [],
    configFiles: [],
    configOptions: [],
    options: NO_OPTIONS,
    create: createCommandCheck,
  },
} satisfies Record<ToolName, Tool>;

/** Names of the tools of one kind. */
export type ToolOf<Kind extends Tool['kind']> = {
  [Name in ToolName]: (typeof tools)[Name]['kind'] extends Kind ? Name : never;
}[ToolName];

/** The row of a tool. */
export function toolOf(name: ToolName): Tool {
  return tools[name];
}

/** Names of the tools of one kind, in the order of the table. */
export function toolsOf<Kind extends Tool['kind']>(kind: Kind): ToolOf<Kind>[] {
  const names = Object.keys(tools) as ToolName[];
  return names.filter((name): name is ToolOf<Kind> => tools[name].kind === kind);
}

/** The tool that a word of a script starts; undefined for every other program. */
export function toolStartedBy(program: string): ToolName | undefined {
  const names = Object.keys(tools) as ToolName[];
  return names.find((name) => toolOf(name).programs.includes(program));
}

/** The tool that an npm package installs. */
export function toolInstalledBy(packageName: string): ToolName | undefined {
  const names = Object.keys(tools) as ToolName[];
  return names.find((name) => toolOf(name).packages.includes(packageName));
}

/** The check that a plan describes. */
export function createCheck(plan: CheckPlan): Check {
  return toolOf(plan.tool).create(plan);
}

function runner(testRunner: TestRunner): Tool['create'] {
  return (plan) => createTestCheck(plan, testRunner);
}

function named(name: string, extensions: string): string[] {
  return extensions.split(' ').map((extension) => `${name}.${extension}`);
}
