import type { Command, Option } from 'commander';
import { createProgram } from '../../../src/cli/program.ts';
import { configProperties } from '../../../src/config/setting-list.ts';
import { createRandom } from '../text/random.ts';
import { drawJson, drawMutation, drawText, pick, VALUES, type Random } from './draw-values.ts';

/** One call of the built program with damaged or senseless input. */
export interface FuzzCase {
  readonly name: string;
  readonly kind: 'arguments' | 'configuration' | 'stored' | 'stdin';
  readonly args: readonly string[];
  readonly input?: string;
  /** Files that are written into the repository before, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** The repository is trusted first, so that its configuration runs. */
  readonly isTrusted?: boolean;
  /** Changes files that ralph has stored, at most this many. */
  readonly damage?: readonly StoredDamage[];
}

/** `at` and `share` are from 0 to below 1: which of the stored files it is, and where in it. */
export interface StoredDamage {
  readonly at: number;
  readonly share: number;
  readonly how: ReturnType<typeof drawMutation>;
}

/** They change the user's tree by design, wait for requests, or need a database, a remote or data sets. */
const LEFT_OUT = /^(init|apply|undo|serve|fleet|worker|submit|queue|bench|ci|trust|mcp|gate start)( |$)/;
/** They name a file that is written, or lift what protects the tree. */
const LEFT_OUT_OPTIONS =
  /^--(html|json|junit|markdown|out|output|bundle|keep|isolation|sandbox|commit|branch|create-pr|carry|record|sandbox-write|workspace-dir)$/;
const READERS: readonly (readonly string[])[] = [
  ['list'],
  ['status'],
  ['logs'],
  ['report'],
  ['reflections', 'list'],
  ['reflections', 'show'],
  ['reflections', 'search', 'price'],
  ['reflections', 'validate'],
  ['lessons', 'list'],
  ['playbook', 'show'],
  ['insights', 'show'],
  ['memory', 'health'],
  ['analyze'],
  ['resume', '--max-time', '20s'],
  ['clean'],
];
const QUICK_RUN = ['run', 'set the price', '--command', 'true', '--max-iterations', '1', '--max-time', '20s'];

/** The case with this number of a seed; the same one each time. */
export function drawCase(seed: number): FuzzCase {
  const random = createRandom(seed);
  const draw = pick(random, [drawArguments, drawArguments, drawConfiguration, drawStored, drawStdin]);
  const drawn = draw(random);
  return { ...drawn, name: `${seed} ${drawn.kind}: ralph ${drawn.args.join(' ').slice(0, 200)}` };
}

type Drawn = Omit<FuzzCase, 'name'>;

function drawArguments(random: Random): Drawn {
  const { path, command } = pick(random, commandsOf(createProgram([]), []));
  const known = command.options.filter(({ long }) => !LEFT_OUT_OPTIONS.test(long ?? ''));
  const options = Array.from({ length: Math.floor(random() * 4) }, () =>
    known.length === 0 || random() < 0.1 ? [drawText(random)] : optionOf(pick(random, known), random),
  );
  const words = Array.from({ length: Math.floor(random() * 3) }, () => drawText(random));
  const limits = path[0] === 'run' ? QUICK_RUN.slice(2) : [];
  return { kind: 'arguments', args: [...path, ...limits, ...options.flat(), ...words] };
}

/** Options of ralph with a value, which is right for one in four. */
function optionOf(option: Option, random: Random): string[] {
  const name = option.long ?? option.short ?? '';
  if (!option.required && !option.optional) return random() < 0.1 ? [`${name}=${drawText(random)}`] : [name];
  const value = option.argChoices && random() < 0.25 ? pick(random, option.argChoices) : drawText(random);
  return random() < 0.5 ? [`${name}=${value}`] : [name, value];
}

function drawConfiguration(random: Random): Drawn {
  const isProgram = random() < 0.4;
  const [file, text] = isProgram
    ? [`ralph.config.${pick(random, ['js', 'mjs', 'ts'])}`, pick(random, PROGRAMS)]
    : ['ralph.config.json', drawConfigurationText(random)];
  const args = pick(random, [['config'], ['evaluate'], ['list'], ['doctor', '--quick'], QUICK_RUN]);
  return { kind: 'configuration', args, files: { [file]: text }, isTrusted: random() < 0.7 };
}

/** Configurations that are programs, and misbehave. */
const PROGRAMS = [
  'export default Promise.reject(new Error("no"));\n',
  'export default { get maxIterations() { throw new Error("no"); } };\n',
  'export default { maxIterations: 3n };\n',
  'setInterval(() => {}, 1000); export default { maxIterations: 2 };\n',
  'process.exit(0);\n',
  'process.exitCode = 99; export default {};\n',
  'throw null;\n',
  'throw Object.create(null);\n',
  'export default () => ({ maxIterations: 2 });\n',
  'export default new Proxy({}, { ownKeys() { throw new Error("no"); } });\n',
  'const it = {}; it.check = it; export default it;\n',
  'export default { check: Symbol("x") };\n',
  'export default { [Symbol.toPrimitive]: 1, task: new Date(NaN) };\n',
  'import "./missing.js";\n',
  'export default {;\n',
  'await new Promise(() => {}); export default {};\n',
  'Object.prototype.polluted = 1; export default { maxIterations: 2 };\n',
  'Promise.reject(new Error("later")); export default {};\n',
  'setTimeout(() => { throw new Error("later"); }, 50); export default {};\n',
  'export default null;\n',
  'export default 7;\n',
  'module.exports = { maxIterations: 2 };\n',
  '',
];

function drawConfigurationText(random: Random): string {
  if (random() < 0.2) return drawText(random);
  const names = Object.keys(configProperties());
  const entries = Array.from({ length: 1 + Math.floor(random() * 4) }, () => [
    random() < 0.8 ? pick(random, names) : drawText(random),
    random() < 0.3 ? pick(random, [0, 1, 2, 1000, true, '1s', [], {}]) : drawJson(random, 0),
  ]);
  // What may not be drawn as an option may not be set here either.
  const kept = entries.filter(
    ([name]) =>
      !/^(isolation|sandbox|sandboxWrite|carry|workspaceDir|record|commit|createPr|branch)$/.test(
        String(name),
      ),
  );
  return JSON.stringify(Object.fromEntries(kept));
}

function drawStored(random: Random): Drawn {
  const damage = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
    at: random(),
    share: random(),
    how: drawMutation(random),
  }));
  return { kind: 'stored', args: pick(random, READERS), damage };
}

function drawStdin(random: Random): Drawn {
  const [args, template] = pick(random, [
    [
      ['mcp'],
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_reflections","arguments":{"query":"a"}}}',
    ],
    [
      ['mcp', '--allow-evaluate'],
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}',
    ],
    [
      ['gate', 'check', '--agent', 'claude'],
      '{"session_id":"a","hook_event_name":"Stop","stop_hook_active":false}',
    ],
    [['gate', 'check'], '{"session_id":"../../x"}'],
    [['logs', '-f'], ''],
    [['run', '--max-time', '20s'], 'y\n'],
  ] as const);
  const lines = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
    random() < 0.5
      ? changed(template, random)
      : random() < 0.5
        ? drawText(random)
        : JSON.stringify(drawJson(random, 0)),
  );
  return { kind: 'stdin', args, input: `${lines.join('\n')}${random() < 0.8 ? '\n' : ''}` };
}

/** The text with one piece replaced. */
function changed(text: string, random: Random): string {
  const at = Math.floor(random() * text.length);
  return text.slice(0, at) + pick(random, VALUES) + text.slice(at + Math.floor(random() * 20));
}

interface Callable {
  readonly path: readonly string[];
  readonly command: Command;
}

/** Every command that can be called without harm, with its options. */
function commandsOf(parent: Command, path: readonly string[]): Callable[] {
  return parent.commands.flatMap((command) => {
    const own = [...path, command.name()];
    if (LEFT_OUT.test(own.join(' '))) return [];
    return [{ path: own, command }, ...commandsOf(command, own)];
  });
}
