import type { Trajectory } from '../../../schema/generated.ts';

/** ralph's own words for a provider that ended a reply. */
const BY_PROVIDER = /\brefused to (?:answer|continue)\b/;
/** A first sentence in which a model says that it will not do what it is asked. */
const BY_MODEL =
  /^(?:(?:i['’]?m|i am) )?(?:(?:very |so )?sorry|unfortunately|apologies)?[^.!?\n]{0,30}?\bi(?: (?:can(?:no|['’])t|cannot|can not|won['’]t|will not|am (?:not able|unable) to)|['’]m (?:not able|unable) to) (?:\w+ ){0,3}?(?:help(?! but)|assist|comply|do (?:that|this|so)|continue|fulfil|provide|support|answer|work on)\b/i;

/** True for an attempt of a model whose last words refuse the task. */
export function isRefusal({ actor, message, outcome }: Trajectory): boolean {
  if (actor === 'command' || actor === 'search') return false;
  return BY_PROVIDER.test(message) || (outcome === 'claimed_done' && BY_MODEL.test(message.trim()));
}
