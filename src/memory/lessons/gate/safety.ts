import { printable } from '../../../platform/text/printable.ts';
import { redact } from '../../../platform/redaction/redact.ts';
import type { LessonCandidate } from '../contract.ts';
import { refusal, type Passage } from './verdict.ts';

/** Texts that are no statement about a repository but try to steer whoever reads them, or their machine. */
const REFUSED: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /\b(ignore|disregard|forget|override|bypass)\b.{0,40}\b(previous|prior|above|earlier|all|any|your|the|these|those|system)\b.{0,30}\b(instruction|prompt|rule|guideline|direction|message|polic)/,
    'It tells its reader to ignore instructions.',
  ],
  [
    /\b(new|updated|real|actual) (system )?(instructions?|prompt)\s*:|\bsystem prompt\b|\bdeveloper message\b/,
    'It speaks as if it were instructions of the system.',
  ],
  [
    /<\/?\s*(system|assistant|user|instructions?|im_start|im_end|tool_call|function_calls?)\b[^>]*>|<\|[^|>]{1,40}\|>|\[\/?inst\]|(^| )(system|assistant|human)\s*:/,
    'It has the marks of a conversation in it.',
  ],
  [
    /\byou are now\b|\bact as (a|an|the|if)\b|\bpretend (to be|that you)\b|\bfrom now on,? you\b|\bjailbreak|\bdan mode\b/,
    'It gives its reader another role.',
  ],
  [
    /\b(do not|don't|never) (tell|inform|mention|show|reveal)\b.{0,30}\b(user|human|operator|anyone|developer)/,
    'It asks to hide something from the user.',
  ],
  [
    /\b(reveal|print|send|post|upload|exfiltrate|leak|email)\b.{0,50}\b(secrets?|credentials?|passwords?|api keys?|tokens?|environment variables|\.env|private keys?|ssh keys?|system prompt)/,
    'It asks to give secrets away.',
  ],
  [
    /\b(curl|wget|iwr|irm|invoke-webrequest|fetch)\b[^|;&]{0,300}\|\s*(sudo\s+)?(\S*\/)?((ba|z|da|k|fi|a)?sh|node|python\d?|perl|ruby|php|iex|tee)\b/,
    'It pipes what it downloads into a program.',
  ],
  [
    /\b(ba|z|da)?sh\b\s+(-c\s+)?["']?(<\(|\$\()\s*(curl|wget)|\beval\b.{0,10}\$\(|\bsource <\(|\|\s*base64 (-d|--decode)|\biex\s*\(|\binvoke-expression\b/,
    'It runs what it downloads or decodes.',
  ],
  [
    /\brm\s+(-\S+\s+)+(\/|~|\$home)(\s|\*|$)|\bmkfs\b|\bdd\s+if=.{0,60}of=\/dev\/|:\(\)\s*\{|>\s*\/dev\/sd[a-z]|\bchmod\s+(-r\s+)?777\s+\//,
    'It destroys what it is run on.',
  ],
];

/**
 * Refuses (`safety`) texts with secrets, with characters that are there and not seen, and texts that give their reader
 * instructions or carry shell attacks. Secrets in quotes are taken out.
 */
export function keepSafe(candidate: LessonCandidate): Passage {
  const danger = dangerIn(candidate.text);
  if (danger !== undefined) return refusal('safety', danger);
  return { ok: true, candidate: { ...candidate, evidence: candidate.evidence.map(redactQuote) } };
}

/** Why a text is not to be told to anybody, as a sentence; undefined where nothing speaks against it. */
export function dangerIn(text: string): string | undefined {
  if (printable(text) !== text) return 'It has control characters or characters that are not seen.';
  if (redact(text) !== text) return 'It holds what looks like a secret.';
  const folded = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[`*_"“”]/g, '')
    .replace(/\s+/g, ' ');
  return REFUSED.find(([pattern]) => pattern.test(folded))?.[1];
}

function redactQuote(evidence: LessonCandidate['evidence'][number]): LessonCandidate['evidence'][number] {
  return { ...evidence, quote: redact(evidence.quote) };
}
