import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../src/platform/files/temporary-folder.ts';
import { startWireServer, type WireReply } from '../../test/support/wire/index.ts';
import { homeVariables, TOOL_RESULT } from '../agents/run-agent.ts';
import { SETUPS } from '../agents/setups.ts';
import type { Conduct, Feature } from './features.ts';
import type { Ground } from './ground.ts';

/** What a scripted model does with a feature. */
export interface Script {
  readonly feature: Feature;
  readonly ground: Ground;
  readonly conduct: Conduct;
  /** Text of the test file. */
  readonly tests: string;
  /** Text of the source file. */
  readonly source: string;
}

/** A scripted model or agent, and how ralph asks it. */
export interface Programmer {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const NOTES = 'Now with this feature.\n';
const IS_FOR_TESTS = 'You write acceptance tests';

/** A model that writes tests and code in one answer each. */
export async function startModel(script: Script): Promise<Programmer> {
  const server = await startWireServer(({ body }) => ({
    text: body.includes(IS_FOR_TESTS) ? JSON.stringify(answerOf(script, true)) : actorAnswer(script),
  }));
  const model = ['--actor', 'cot', '--model', 'openai-compatible/scripted', '--no-stream'];
  return {
    flags: [...model, '--base-url', server.baseUrl('openai-chat')],
    env: {},
    close: () => server.close(),
  };
}

/** The agent opencode, asked by its name; its model writes each file with one call of a tool. */
export async function startAgentModel(name: string, script: Script): Promise<Programmer> {
  if (name !== 'opencode') throw new Error(`--agent ${name}: only opencode is scripted here.`);
  const home = makeTemporaryFolder('features');
  mkdirSync(join(home, 'tmp'));
  const server = await startWireServer(({ body }): WireReply => {
    if (!/"tools":\[/.test(body)) return { text: 'A title' };
    const isForTests = body.includes(IS_FOR_TESTS);
    const file = isForTests
      ? { path: script.ground.test(script.feature), text: script.tests }
      : fileOf(script);
    if (file !== undefined && body.search(TOOL_RESULT) === -1) {
      const path = file.path.slice(script.ground.folder.length);
      const command = `cat > ${path} << 'END'\n${file.text}END`;
      return { text: 'I write.', toolCalls: [{ name: 'bash', input: { command, description: 'Writes' } }] };
    }
    return { text: isForTests ? JSON.stringify(answerOf(script, false)) : 'The task is done.' };
  });
  const setup = SETUPS[name]!;
  return {
    flags: ['--agent', name, '--fixers', 'off'],
    env: { ...homeVariables(home), ...setup.configure(home, server) },
    async close() {
      await server.close();
      removeTemporaryFolder(home);
    },
  };
}

function answerOf({ feature, ground, tests }: Script, withFiles: boolean): object {
  const names = feature.cases.map((_, index) => `case ${index + 1}`);
  const criteria = [{ text: feature.task, tests: names, covered_by: [] }];
  return withFiles ? { criteria, files: [{ path: ground.test(feature), content: tests }] } : { criteria };
}

/** The answer to the task itself, in the form of the `cot` actor. */
function actorAnswer(script: Script): string {
  const file = fileOf(script);
  return file === undefined ? 'The task is done.' : `Done.\n\n${file.path}\n\`\`\`\n${file.text}\`\`\`\n`;
}

/** The file that is written for the task; undefined for an actor that does nothing. */
function fileOf({ conduct, feature, ground, source }: Script): { path: string; text: string } | undefined {
  if (conduct === 'nothing') return undefined;
  return conduct === 'readme'
    ? { path: `${ground.folder}FEATURES.md`, text: NOTES }
    : { path: ground.source(feature), text: source };
}
