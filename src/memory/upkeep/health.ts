import { readFile } from 'node:fs/promises';
import { validate, type SchemaName } from '../../schema/validate.ts';
import { ralphFolder } from '../../platform/ralph-folder.ts';
import { unsealLine, unsealText } from '../../platform/files/sealed.ts';
import { isInsightDue, type InsightSettings } from '../passes/insights/settings.ts';
import { readInsights } from '../passes/insights/store.ts';
import type { LessonStore } from '../lessons/contract.ts';
import { readObservations } from '../passes/observe/store.ts';
import { memoryPath } from '../passes/common/memory-file.ts';
import { GATE } from '../passes/playbook/gate.ts';
import { healthWarnings } from '../passes/playbook/health.ts';
import { renderPlaybook } from '../passes/playbook/render.ts';
import { readPlaybook } from '../passes/playbook/store.ts';

/** Something about long-term memory that a user may want to know. */
export interface Finding {
  /** `damaged`: a file or lines of it cannot be used. `warning`: worth a look. `overdue`: waits for a pass. */
  readonly kind: 'damaged' | 'warning' | 'overdue';
  /** A sentence. */
  readonly text: string;
}

const LINES: readonly (readonly [name: string, schema: SchemaName])[] = [
  ['lessons.jsonl', 'lesson'],
  ['audit.jsonl', 'lesson-audit'],
  ['observations.jsonl', 'observation'],
  ['repairs.jsonl', 'repair'],
];
const FILES: readonly (readonly [name: string, schema: SchemaName])[] = [
  ['insights.json', 'insights'],
  ['playbook.json', 'playbook'],
  ['micro.json', 'micro-state'],
];
/** Share of lessons that were contradicted more often than supported, from which memory misleads. */
const MISLEADING = 0.3;
const FEW = 5;

/** What is amiss in long-term memory; empty where nothing is. Throws RalphError where it cannot be read. */
export async function memoryHealth(
  repositoryRoot: string,
  store: LessonStore,
  settings: InsightSettings,
): Promise<Finding[]> {
  const damaged = [
    ...(await Promise.all(LINES.map(([name, schema]) => damagedLines(repositoryRoot, name, schema)))),
    ...(await Promise.all(FILES.map(([name, schema]) => damagedFile(repositoryRoot, name, schema)))),
  ].flat();
  const seq = (await readObservations(repositoryRoot)).at(-1)?.seq ?? 0;
  const playbook = await readPlaybook(repositoryRoot);
  const insights = await readInsights(repositoryRoot);
  const isSynthesisDue = insights.due || isInsightDue(seq, insights, settings);
  const since = seq - (playbook?.consolidated_through ?? 0);
  return [
    ...damaged,
    ...(playbook === undefined ? [] : healthWarnings(renderPlaybook(playbook)).map(warning)),
    ...misleading(await store.list()),
    ...(isSynthesisDue
      ? [overdue(`${seq - insights.reflected_through} attempts wait for a synthesis: ralph insights reflect`)]
      : []),
    ...(since >= GATE.periodic
      ? [overdue(`${since} attempts since the playbook was written: ralph playbook consolidate`)]
      : []),
  ];
}

async function damagedLines(repositoryRoot: string, name: string, schema: SchemaName): Promise<Finding[]> {
  const text = await textOf(repositoryRoot, name);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const bad = lines.filter((line) => {
    const read = unsealLine(line);
    return !read.ok || !validate(schema, read.value).ok;
  });
  return bad.length === 0
    ? []
    : [{ kind: 'damaged', text: `${memoryPath(name)}: ${bad.length} of ${lines.length} lines are damaged.` }];
}

async function damagedFile(repositoryRoot: string, name: string, schema: SchemaName): Promise<Finding[]> {
  const text = await textOf(repositoryRoot, name);
  if (text === '') return [];
  const read = unsealText(text);
  if (read.ok && validate(schema, read.value).ok) return [];
  const why = read.ok ? 'it breaks its schema' : read.problem;
  return [{ kind: 'damaged', text: `${memoryPath(name)} is damaged: ${why}.` }];
}

function misleading(lessons: Awaited<ReturnType<LessonStore['list']>>): Finding[] {
  const judged = lessons.filter(({ support, contradiction }) => support + contradiction > 0);
  const wrong = judged.filter(({ support, contradiction }) => contradiction > support);
  if (judged.length < FEW || wrong.length / judged.length < MISLEADING) return [];
  return [
    warning(
      `${wrong.length} of ${judged.length} lessons that were tried were contradicted more often than supported.`,
    ),
  ];
}

function warning(text: string): Finding {
  return { kind: 'warning', text };
}

function overdue(text: string): Finding {
  return { kind: 'overdue', text };
}

async function textOf(repositoryRoot: string, name: string): Promise<string> {
  return readFile(ralphFolder(repositoryRoot).inMemory(name), 'utf8').catch(() => '');
}
