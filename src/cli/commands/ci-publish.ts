import { resolve } from 'node:path';
import { parseConfirmedTree, type ConfirmedTree } from '../../ci/confirmed-tree.ts';
import { publishFix } from '../../ci/publish.ts';
import { openCiRemote, STEP_MS } from '../../ci/remote.ts';
import { ExitCode, usageError } from '../../errors.ts';
import type { PushSettings } from '../../ci/push-fix.ts';
import { nonEmpty, resolveBranchOptions, type BranchOptions } from './ci-branch-options.ts';
import { reportStep } from './ci-step-report.ts';

export interface CiPublishOptions extends BranchOptions {
  readonly from: string;
  readonly tryId: string;
  readonly allow?: readonly string[];
  readonly pullRequest: boolean;
  readonly draft?: boolean;
  readonly pushOption?: readonly string[];
  readonly tree?: string;
  readonly why?: string;
  readonly title?: string;
  readonly addLabel?: readonly string[];
  readonly reviewer?: readonly string[];
  readonly author?: string;
  readonly sign?: boolean;
}

const AUTHOR = /^([^<>\n]{1,100}) ?<([^<>\s@]{1,200}@[^<>\s@]{1,200})>$/;

/** A login, which may be that of a bot, or an organisation and the name of a team. */
const REVIEWER = /^[A-Za-z0-9][\w-]{0,99}(?:\[bot\]|\/[\w.-]{0,99}\w)?$/;

/** Reasons for which a maintainer has to look at the result. */
const REFUSED: ReadonlySet<string> = new Set([
  'bad_patch',
  'branch_edited',
  'other_tree',
  'other_try',
  'not_claimed',
  'settled',
]);

/** `ralph ci publish`: exit code 0 if it was published or there was nothing to publish, 1 if the result was refused. */
export async function ciPublishCommand(options: CiPublishOptions): Promise<void> {
  const { env } = process;
  const settings = resolveBranchOptions(options);
  const remote = await openCiRemote({
    cwd: process.cwd(),
    env,
    endsAt: performance.now() + STEP_MS,
    remote: nonEmpty(options.remote),
    needsToken: options.pullRequest,
    warn: (text) => reportStep({ text, outputs: {} }, {}),
  });
  const result = await publishFix({
    remote,
    settings,
    tryId: options.tryId,
    from: resolve(options.from),
    allow: options.allow ?? [],
    draft: options.draft === true,
    pushOptions: options.pushOption ?? [],
    tree: parseTree(nonEmpty(options.tree)),
    why: nonEmpty(options.why),
    title: nonEmpty(options.title),
    labels: options.addLabel ?? [],
    reviewers: parseReviewers(options.reviewer ?? []),
    author: parseAuthor(nonEmpty(options.author)),
    pullRequest: options.pullRequest,
    sign: options.sign === true,
    now: () => new Date(),
  });
  const isRefused = REFUSED.has(result.reason);
  reportStep(
    {
      text: result.text,
      outputs: {
        published: String(result.published),
        reason: result.reason,
        verified: String(result.verified),
        reward: result.reward === undefined ? '' : String(result.reward),
        'loop-id': result.loopId ?? '',
        branch: result.branch ?? '',
        'pr-url': result.pull?.url ?? '',
      },
      annotations: [{ level: isRefused ? 'error' : 'notice', title: 'ralph', message: result.text }],
    },
    env,
  );
  if (isRefused) process.exitCode = ExitCode.unverified;
}

function parseReviewers(names: readonly string[]): readonly string[] {
  const wrong = names.find((name) => !REVIEWER.test(name));
  if (wrong === undefined) return names;
  throw usageError(
    `--reviewer ${JSON.stringify(wrong)} is neither a user nor a team.`,
    'For example octocat or octo-org/maintainers',
  );
}

function parseTree(text: string | undefined): ConfirmedTree | undefined {
  if (text === undefined) return undefined;
  const tree = parseConfirmedTree(text);
  if (tree !== undefined) return tree;
  throw usageError(
    `--tree ${JSON.stringify(text.slice(0, 100))} is not the id of a tree.`,
    'Give the output tree of ralph ci verify.',
  );
}

function parseAuthor(text: string | undefined): PushSettings['author'] {
  if (text === undefined) return undefined;
  const [, name = '', email = ''] = AUTHOR.exec(text.trim()) ?? [];
  if (name.trim() !== '') return { name: name.trim(), email };
  throw usageError(
    `--author ${JSON.stringify(text.slice(0, 300))} is not a name with an address.`,
    'Write it as: --author "ralph <ralph@example.com>"',
  );
}
