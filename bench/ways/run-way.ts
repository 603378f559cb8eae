import { execa } from 'execa';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../src/platform/files/temporary-folder.ts';
import type { Verdict } from '../../src/schema/generated.ts';
import { startWireServer } from '../../test/support/wire/index.ts';
import { packageFiles, writePackage } from '../datasets/humanevalfix/package-files.ts';
import type { Problem } from '../datasets/humanevalfix/problems.ts';
import { commitAsFirst } from '../datasets/plain-repository.ts';
import { RALPH } from '../measure.ts';
import { drawIdeas, type Ideas } from './ideas.ts';
import { scriptedModel } from './scripted-model.ts';

/** Flags by the name of a way to ask a model. */
export const WAYS: Readonly<Record<string, readonly string[]>> = {
  react: ['--actor', 'react'],
  cot: ['--actor', 'cot'],
  samples: ['--actor', 'cot', '--samples', '4'],
  propose: ['--actor', 'cot', '--propose'],
};

/** One run of one way on one problem. */
export interface WayRun {
  readonly verified: boolean;
  readonly requests: number;
  /** Tokens of all requests, about four bytes each. */
  readonly input: number;
  readonly output: number;
  readonly seconds: number;
  readonly reason: string;
}

const ATTEMPTS = '5';

/** Runs `ralph run` on a problem in a repository of its own, with the scripted model. */
export async function runWay(
  way: string,
  problem: Problem,
  { ideas, seed, share }: { readonly ideas: Ideas; readonly seed: string; readonly share: number },
): Promise<WayRun> {
  const root = makeTemporaryFolder('ways');
  const nextIdea = drawIdeas(ideas, { seed: `${seed} ${problem.taskId}`, share });
  const server = await startWireServer(scriptedModel(ideas.original, nextIdea));
  const started = performance.now();
  try {
    await writePackage(root, packageFiles(problem, 'full'));
    await commitAsFirst(root, 'start');
    const { stdout, stderr } = await execa(
      process.execPath,
      [RALPH, 'run', ...flagsOf(way, server.baseUrl('openai-chat'))],
      {
        cwd: root,
        stdin: 'ignore',
        reject: false,
      },
    );
    const verdict = readVerdict(stdout, stderr);
    return {
      verified: verdict.verified,
      requests: server.requests.length,
      input: verdict.usage.input_tokens,
      output: verdict.usage.output_tokens,
      seconds: (performance.now() - started) / 1000,
      reason: verdict.reason,
    };
  } finally {
    await server.close();
    removeTemporaryFolder(root);
  }
}

function flagsOf(way: string, baseUrl: string): string[] {
  return [
    ...['--format', 'json', '--quiet', '--model', 'openai-compatible/scripted', '--base-url', baseUrl],
    ...['--max-iterations', ATTEMPTS, '--reflector', 'rules', '--no-acceptance-tests', '--no-memory'],
    ...['--proof-time', '0s', ...WAYS[way]!],
  ];
}

function readVerdict(stdout: string, stderr: string): Verdict {
  try {
    return JSON.parse(stdout) as Verdict;
  } catch {
    throw new Error(`ralph run printed no verdict:\n${stderr.slice(-1000)}`);
  }
}
