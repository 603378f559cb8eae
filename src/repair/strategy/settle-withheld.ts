import { plural } from '../../platform/text/plural.ts';
import type { ColdVerdict } from '../trial/cold-trial.ts';
import { rankClaims } from '../choose/choose.ts';
import { chooseOrWithhold, requestOf } from './choose-edit.ts';
import { runWhole } from './confirm-others.ts';
import type { BoundedSearch } from './group-search.ts';
import { withheldSentence } from './withheld.ts';

/**
 * Runs withheld edits against the whole check, because they were tried on failing tests alone. Those that break a test are
 * ruled out; if the others are sure enough then, the best is confirmed and returned. Only edits that were run stay listed.
 */
export async function settleWithheld(search: BoundedSearch): Promise<ColdVerdict | undefined> {
  const { log, scope, withheld, minConfidence } = search;
  const before = withheld.length;
  const listed = log.withheld.get(scope);
  if (before === 0 || listed === undefined) return undefined;
  search.context.onProgress(`running ${plural(before, 'plausible edit')} against the whole check`);
  const { sound, isComplete } = await runWhole(search, withheld);
  if (sound.length === before) return undefined;
  if (sound.length === 0) log.withheld.delete(scope);
  else {
    // An input on which they differ may be one of those that are not listed any more.
    const ranked = await rankClaims(requestOf(search), sound);
    log.withheld.set(scope, {
      confidence: listed.confidence,
      candidates: ranked.claims.map(({ candidate }) => candidate),
      sentence: withheldSentence({ ...ranked, confidence: listed.confidence }, minConfidence),
    });
  }
  // Edits that were not run may be the better ones, so that nothing is chosen without them.
  if (!isComplete) return undefined;
  withheld.splice(0, Infinity, ...sound);
  return sound.length === 0 ? undefined : await chooseOrWithhold(search, []);
}
