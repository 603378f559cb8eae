import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ACTORS } from '../actors.ts';
import type { Settings } from '../config/settings.ts';
import { usageError } from '../errors.ts';
import { createModelClient, type PreparedClient } from '../agents/llm/create-client.ts';
import { ModelHealth } from '../agents/llm/model-health.ts';
import { Ledger } from '../agents/llm/ledger.ts';
import { modelAddress } from '../agents/llm/model-address.ts';
import { priceOf } from '../agents/llm/prices.ts';
import { checkModel } from '../agents/llm/providers.ts';
import { openRecording } from '../agents/llm/player.ts';
import { beginRecording, createRecorder, type Channel, type RecordedCall } from '../agents/llm/recording.ts';
import { removeDamagedCalls } from '../agents/llm/remove-damaged-calls.ts';
import type { OnCall } from '../agents/llm/retrying-model.ts';
import type { Memory, RunStore } from '../ports.ts';
import { NO_USAGE } from '../schema/usage.ts';
import { plural } from '../platform/text/plural.ts';
import { ralphFolder } from '../platform/ralph-folder.ts';
import type { Project } from './project.ts';
import { spentBefore } from './loop/spent-before.ts';

/** The model clients of one loop, which share a ledger and a recording. */
export interface Models {
  readonly actor: PreparedClient | undefined;
  /** With --samples, the clients of the further actors: a client holds one conversation at a time. */
  readonly samples: readonly PreparedClient[];
  readonly reflector: PreparedClient | undefined;
  /** The client of long-term memory; undefined if --memory-model is off or no model is set. */
  readonly memory: PreparedClient | undefined;
  /** The client of acceptance tests: --acceptance-model, or else the actor's model, in a channel of its own. */
  readonly acceptance: PreparedClient | undefined;
  /** The client of --judge. */
  readonly judge: PreparedClient | undefined;
}

export interface ModelsRequest {
  readonly project: Project;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly loopId: string;
  readonly resumed: boolean;
  readonly store: RunStore;
  readonly memory: Memory;
  /** See `ClientSettings`. */
  readonly onRecorded?: (() => Promise<void>) | undefined;
  readonly onCall?: OnCall | undefined;
  readonly timeLeftMs: () => number | undefined;
  /** Called with a sentence for the user. */
  readonly warn: (text: string) => void;
}

/** Opens the models of a loop after all checks that need no request. Rejects with RalphError. */
export async function openModels(request: ModelsRequest): Promise<Models> {
  const { settings } = request.project;
  const needs = needsOf(settings);
  const isAsked = CHANNELS.some((channel) => needs[channel]);
  if (!isAsked && ACTORS[settings.actor].asks === 'nobody') return NO_MODELS;
  const { maxCostUsd, maxTokens, model } = settings;
  const { record, replay } = model;
  const root = request.project.repository.root;
  const absolute = (path: string): string => recordingPath(request.project, path);
  const player = replay === undefined ? undefined : openRecording(absolute(replay));
  const names = namesOf(settings);
  if (player === undefined) await checkModels(request.project, request.env);
  if (record !== undefined && !request.resumed) beginRecording(absolute(record));
  if (!isAsked) return NO_MODELS;

  const { loopId, memory, resumed, store, timeLeftMs } = request;
  const finishedSteps = (): number => store.finishedSteps;
  const log = ralphFolder(root).modelCalls(loopId);
  if (resumed) await repairLog(log, request);
  const spent = resumed ? await spentBefore(root, loopId, memory) : NO_USAGE;
  const shared = {
    ...model,
    env: request.env,
    folders: request.project.providerFolders,
    health: new ModelHealth(),
    ledger: new Ledger({ maxCostUsd, maxTokens, timeLeftMs }, spent),
    recorders: [log, ...(record === undefined ? [] : [absolute(record)])].map((path) =>
      createRecorder(path, finishedSteps),
    ),
    player,
    onRecorded: request.onRecorded,
    onCall: request.onCall,
    answeredBefore:
      resumed && existsSync(log) ? openRecording(log, answeredAfter(finishedSteps())) : undefined,
  };
  const client = (channel: Channel): PreparedClient => {
    const list = [...names[channel], ...model.fallbacks].filter((name) => name !== undefined);
    return createModelClient({ ...shared, channel, names: list });
  };
  const actor = needs.actor ? client('actor') : undefined;
  const second = needs.reflector ? client('reflector') : undefined;
  return {
    actor,
    samples: actor === undefined ? [] : Array.from({ length: settings.samples - 1 }, () => client('actor')),
    reflector: settings.reflector === 'llm' ? second : undefined,
    memory: settings.memory && settings.memoryModel ? (second ?? actor) : undefined,
    acceptance: needs.acceptance ? client('acceptance') : undefined,
    judge: needs.judge ? client('judge') : undefined,
  };
}

/** Absolute path of a recording that the settings name. */
export function recordingPath({ repository }: Project, path: string): string {
  return resolve(repository.packageStart, path);
}

const CHANNELS = ['actor', 'reflector', 'acceptance', 'judge'] as const satisfies readonly Channel[];

const NO_MODELS: Models = {
  actor: undefined,
  samples: [],
  reflector: undefined,
  memory: undefined,
  acceptance: undefined,
  judge: undefined,
};

/** Rejects with RalphError if a model of the settings is missing or unusable, or its price is unknown with --max-cost. */
export async function checkModels(project: Project, env: ModelsRequest['env']): Promise<void> {
  const { maxCostUsd, model, actor } = project.settings;
  const needs = needsOf(project.settings);
  const names = namesOf(project.settings);
  const used = CHANNELS.filter((channel) => needs[channel]).flatMap((channel) => names[channel]);
  if (used.includes(undefined)) {
    throw usageError(
      needs.actor ? `--actor ${actor} needs a model.` : '--reflector llm needs a model.',
      'Name one: --model anthropic/…, openai/…, google/… or openai-compatible/… with --base-url',
    );
  }
  const fallbacks = used.length > 0 ? model.fallbacks : [];
  for (const name of new Set([...used, ...fallbacks] as string[])) {
    checkModel({ name, baseUrl: model.baseUrl, env, folders: project.providerFolders });
    if (maxCostUsd === undefined) continue;
    const price = await priceOf(name, model.prices, modelAddress(name, model.baseUrl, env) !== undefined);
    if (price({ input: 1, cached: 0, written: 0, output: 1 }) === null) throw unknownPrice(name);
  }
}

async function repairLog(log: string, { warn }: ModelsRequest): Promise<void> {
  const removed = await removeDamagedCalls(log);
  if (removed === undefined) return;
  const { aside, lostCalls, problem } = removed;
  warn(
    `${log} is damaged (${problem}) and kept as ${aside}; ${plural(lostCalls, 'call')} will be repeated if needed.`,
  );
}

/** Selects the calls of the step that was running when the loop was interrupted. */
function answeredAfter(finishedSteps: number): (call: RecordedCall) => boolean {
  return (call) => call.finished_steps === finishedSteps;
}

function namesOf({
  model,
  acceptanceModel,
  judge,
}: Settings): Record<Channel, readonly (string | undefined)[]> {
  return {
    actor: [model.name],
    reflector: [model.reflectorName ?? model.name],
    acceptance: [acceptanceModel ?? model.name],
    judge: [judge],
  };
}

function needsOf(settings: Settings): Record<Channel, boolean> {
  const { actor, reflector, memory, memoryModel, model, acceptanceTests, acceptanceModel } = settings;
  const hasActor = ACTORS[actor].asks === 'model';
  const isNamed = (model.reflectorName ?? model.name) !== undefined;
  // Memory uses the reflector's client if neither the reflector nor the actor needs a model.
  const isForMemory = memory && memoryModel && isNamed && !hasActor;
  return {
    actor: hasActor,
    reflector: reflector === 'llm' || isForMemory,
    acceptance: acceptanceTests && (acceptanceModel !== undefined || hasActor),
    judge: settings.judge !== undefined,
  };
}

function unknownPrice(name: string): Error {
  return usageError(
    `--max-cost cannot be enforced: the price of ${name} is unknown.`,
    `Set it in ralph.config.json, in USD per million tokens:\n"prices": { "${name}": { "input": 1, "output": 4 } }\nor limit the tokens: --max-tokens`,
  );
}
