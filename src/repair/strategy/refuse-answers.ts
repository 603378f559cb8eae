import { shownEdit } from '../../schema/shown-edit.ts';
import { join } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Claim } from '../choose/confirm-claim.ts';
import { refusalOf } from '../refuse/index.ts';
import { parseSource, type ParsedSource } from '../syntax/parse.ts';
import { ruleOut, type GroupSearch } from './group-search.ts';

/** The claims without the edits that only answer the tests, which are ruled out; the log names the first of them. */
export async function refuseAnswers(search: GroupSearch, claims: readonly Claim[]): Promise<Claim[]> {
  const sources = new Map<string, ParsedSource | undefined>();
  const kept: Claim[] = [];
  const refused: string[] = [];
  for (const claim of claims) {
    const { candidate } = claim;
    const { file } = candidate.edits[0]!;
    if (!sources.has(file)) sources.set(file, await parsedFile(search, file));
    const source = sources.get(file);
    const refusal = source && refusalOf(source, candidate, search.testValues);
    if (refusal === undefined) kept.push(claim);
    else {
      ruleOut(search, candidate);
      refused.push(`${shownEdit(candidate.signature)} ${refusal}`);
    }
  }
  if (refused.length > 0)
    search.log.addReason(
      `Refused ${plural(refused.length, 'edit')} that only ${refused.length === 1 ? 'answers' : 'answer'} the tests: ${refused[0]}.`,
    );
  return kept;
}

async function parsedFile({ context }: GroupSearch, file: string): Promise<ParsedSource | undefined> {
  const parsed = parseSource(file, await readTreeText(join(context.root, file)));
  return 'problem' in parsed ? undefined : parsed;
}
