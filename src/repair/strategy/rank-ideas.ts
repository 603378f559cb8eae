import { join, posix } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { AttemptContext, EditIdea } from '../../ports/attempt.ts';
import type { Suspect } from '../localise/localise.ts';
import { ideaCandidates, type IdeaSource } from '../operators/propose/ideas.ts';
import { suspicionAt } from '../syntax/regions.ts';
import type { RankedCandidate } from './propose.ts';

/** The least suspicion of a place that is named: failing tests need not be traced to it. A commit changed what worked. */
const LEAST_SUSPICION: Readonly<Record<IdeaSource, number>> = { model: 0.2, 'earlier-text': 1 };

interface IdeaContext {
  readonly ideas: readonly EditIdea[];
  readonly suspects: readonly Suspect[];
  /** Default `model`. */
  readonly from?: IdeaSource;
  /** Called for each idea that is left out, with the reason, as the end of "1 edit …". */
  readonly onLeftOut?: (idea: EditIdea, reason: string) => void;
}

/**
 * Ideas as candidates, those at the most suspicious places first. `files`: sources that the tests reach; ideas
 * for others are left out, which cannot make a test pass.
 */
export async function rankIdeas(
  { root, project }: AttemptContext,
  files: readonly string[],
  { ideas, suspects, from = 'model', onLeftOut }: IdeaContext,
): Promise<RankedCandidate[]> {
  const byFile = Map.groupBy(ideas, ({ file }) => pathOf(file, files, project.packageDir));
  const ranked: RankedCandidate[] = [];
  for (const [file, own] of byFile) {
    if (file === undefined) {
      for (const idea of own) onLeftOut?.(idea, 'in no source that the failing tests reach');
      continue;
    }
    const text = await readTreeText(join(root, file));
    const regions = suspects.find((suspect) => suspect.file === file)?.regions ?? [];
    const candidates = ideaCandidates({ file, text, ideas: own, from, onLeftOut });
    for (const candidate of candidates) {
      const suspicion = Math.max(LEAST_SUSPICION[from], suspicionAt(candidate.edits[0]!.start, regions));
      const score = candidate.prior * suspicion;
      ranked.push({ candidate, score, order: score });
    }
  }
  return ranked.sort((a, b) => b.score - a.score);
}

/** The first of the candidates that make the same edits. */
export function withoutEqual(ranked: readonly RankedCandidate[]): RankedCandidate[] {
  const seen = new Set<string>();
  return ranked.filter(({ candidate }) => {
    const key = JSON.stringify(candidate.edits);
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

/** A model may name a file relative to the root or to the package's folder. */
function pathOf(file: string, files: readonly string[], packageDir: string): string | undefined {
  const plain = posix.normalize(file);
  return [plain, posix.join(packageDir, plain)].find((path) => files.includes(path));
}
