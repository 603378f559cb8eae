import type { EditIdea } from '../../../ports/attempt.ts';
import type { Candidate, TextEdit } from '../../syntax/edit.ts';
import { NO_HINTS } from '../../syntax/literals.ts';
import { parseSource } from '../../syntax/parse.ts';
import { createSyntaxCheck } from '../../syntax/syntax-check.ts';
import type { Site } from '../../syntax/walk.ts';
import { whyNotSearched } from '../../syntax/why-not-searched.ts';
import type { Operator } from '../operator.ts';
import { createDescriber } from './describe.ts';
import { createSourceView } from './source-view.ts';

/** Who proposed an edit: a model, or a recent commit, which replaced the text that the edit puts back. */
export type IdeaSource = 'model' | 'earlier-text';

/** Each idea is a little less promising than the one before it. */
const STEP = 0.01;

/** A file, and the edits that were proposed for it. */
export interface IdeaRequest {
  /** Relative to the repository's root; the extension selects the language. */
  readonly file: string;
  readonly text: string;
  /** Most promising first. */
  readonly ideas: readonly EditIdea[];
  /** Default `model`. */
  readonly from?: IdeaSource | undefined;
  /** Called for each idea that is left out, with the reason, as the end of "1 edit …". */
  readonly onLeftOut?: ((idea: EditIdea, reason: string) => void) | undefined;
}

/**
 * The ideas for one file as candidates, in their order. Left out are those whose text is not found exactly once, that change
 * nothing, or that do not parse.
 */
export function ideaCandidates(request: IdeaRequest): Candidate[] {
  const { file, text, ideas, from = 'model', onLeftOut = () => undefined } = request;
  const parsed = whyNotSearched(file, text) === undefined ? parseSource(file, text) : undefined;
  if (parsed === undefined || 'problem' in parsed) {
    for (const idea of ideas) onLeftOut(idea, 'in a file that the search cannot read');
    return [];
  }
  const source = createSourceView(parsed, NO_HINTS);
  const describe = createDescriber(parsed, source);
  const isSound = createSyntaxCheck(parsed);
  const operator: Operator = { name: from, prior: 1, propose: () => [] };
  return ideas.flatMap((idea, index) => {
    const edit = locate(text, idea);
    const site = typeof edit === 'string' ? undefined : innermost(source.sites, edit);
    if (typeof edit === 'string' || site === undefined || !isSound(site, [edit])) {
      onLeftOut(idea, typeof edit === 'string' ? edit : 'with a result that does not parse');
      return [];
    }
    const prior = Math.max(STEP, 1 - index * STEP);
    return [describe({ operator, proposal: { edits: [edit], factor: 1 }, site, prior, isIndented: true })];
  });
}

/** The edit without the text that both sides begin and end with; a reason if it cannot be placed. */
function locate(text: string, { before, after }: EditIdea): TextEdit | string {
  const at = text.indexOf(before);
  if (before === after) return 'without a change';
  if (at === -1) return 'with a text that its file does not have';
  if (text.indexOf(before, at + 1) !== -1) return 'with a text that its file has more than once';
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return {
    start: at + head,
    end: at + before.length - tail,
    replacement: after.slice(head, after.length - tail),
  };
}

/** Sites are parents first, so the last one around the edit is the smallest. */
function innermost(sites: readonly Site[], { start, end }: TextEdit): Site {
  return sites.findLast(({ node }) => node.start! <= start && end <= node.end!) ?? sites[0]!;
}
