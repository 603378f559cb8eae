import { printable } from '../text/printable.ts';
import { withPlainLetters } from '../text/plain-letters.ts';
import { redact } from './redact.ts';

/** Texts that try to control their reader, or carry a shell attack, with the reason to refuse them. */
const REFUSED: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /\b(ignore|disregard|forget|override|bypass)\b.{0,40}\b(previous|prior|above|earlier|all|any|your|the|these|those|system)\b.{0,30}\b(instruction|prompt|rule|guideline|direction|message|polic)/,
    'It tells its reader to ignore instructions.',
  ],
  [
    /\b(ignore|disregard|forget)\b.{0,20}\b(everything|anything|all|whatever|what)\b.{0,20}\b(above|before|so far|earlier|until now|previous(ly)?|you (were|have been|know))\b/,
    'It tells its reader to ignore instructions.',
  ],
  [
    /\b(new|updated|real|actual) (system )?(instructions?|prompt)\s*:|\bsystem prompt\b|\bdeveloper message\b/,
    'It poses as a system prompt.',
  ],
  [
    /<\/?\s*(system|assistant|user|instructions?|im_start|im_end|tool_call|function_calls?)\b[^>]*>|<\|[^|>]{1,40}\|>|\[\/?inst\]|(^| )(system|assistant|human)\s*:/,
    'It contains the markup of a conversation.',
  ],
  [
    /\byou are now\b|\bact as (a|an|the|if)\b|\bpretend (to be|that you)\b|\bfrom now on,? (you\b|(the|this|every|any) (assistant|agent|model|ai|llm|reader)\b|(only )?(answer|respond|reply|obey)\b)|\bthe (assistant|ai|llm|language model) (must|should|shall|has to|needs to|is to) (not |never |only |always )?(answer|respond|reply|obey|follow|say|approve|accept|refuse|act|do|run|delete|ignore)\b|\bjailbreak|\bdan mode\b/,
    'It assigns its reader another role.',
  ],
  [
    /\byou (must|should|have to|need to|are to)( now)? (delete|remove|skip|disable|overwrite|weaken)\b.{0,40}\b(tests?|specs?|checks?|assertions?|folders?|director(y|ies)|files?)\b|\b(notes?|messages?|instructions?|hints?|reminders?|orders?) (to|for) (the |any |all |every )?(ai|agents?|assistants?|models?|llms?|bots?)\b/,
    'It gives its reader an order.',
  ],
  [
    /\b(do not|don't|never) (tell|inform|mention|show|reveal)\b.{0,30}\b(user|human|operator|anyone|developer)/,
    'It asks to hide something from the user.',
  ],
  [
    /\b(reveal|print|send|post|upload|exfiltrate|leak|email)\b.{0,50}\b(secrets?|credentials?|passwords?|api keys?|tokens?|environment variables|\.env|private keys?|ssh keys?|system prompt)/,
    'It asks to disclose secrets.',
  ],
  [
    /\b(curl|wget|iwr|irm|invoke-webrequest|fetch)\b[^|;&]{0,300}\|\s*(sudo\s+)?(\S*\/)?((ba|z|da|k|fi|a)?sh|node|python\d?|perl|ruby|php|iex|tee)\b/,
    'It pipes a download into a program.',
  ],
  [
    /\b(ba|z|da)?sh\b\s+(-c\s+)?["']?(<\(|\$\()\s*(curl|wget)|\beval\b.{0,10}\$\(|\bsource <\(|\|\s*base64 (-d|--decode)|\biex\s*\(|\binvoke-expression\b/,
    'It runs downloaded or decoded code.',
  ],
  [
    /\brm\s+(-\S+\s+)+(\/|~|\$home)(\s|\*|$)|\bmkfs\b|\bdd\s+if=.{0,60}of=\/dev\/|:\(\)\s*\{|>\s*\/dev\/sd[a-z]|\bchmod\s+(-r\s+)?777\s+\//,
    'It contains a destructive command.',
  ],
];

/** The reason why a text must not be shown to a model, as a sentence; undefined for a safe text. */
export function dangerIn(text: string): string | undefined {
  if (printable(text) !== text) return 'It has control characters or invisible characters.';
  if (redact(text) !== text) return 'It seems to contain a secret.';
  return orderIn(text);
}

/** The reason why a text seems to control its reader or to attack a shell, as a sentence. */
export function orderIn(text: string): string | undefined {
  const folded = withPlainLetters(text)
    .toLowerCase()
    // Letters that are spaced out: `i g n o r e`.
    .replace(/(?<=(?<![^\s])\w) (?=\w(?![^\s]))/g, '')
    .replace(/[`*_"“”]/g, '')
    .replace(/\s+/g, ' ');
  const read = [folded, ...wordsOfNames(text)];
  return REFUSED.find(([pattern]) => read.some((one) => pattern.test(one)))?.[1];
}

/** The words of names that are written in one, such as `ignore_all_previous_instructions.js` or `ignoreAllPrevious`; empty without any. */
function wordsOfNames(text: string): string[] {
  const plain = withPlainLetters(text);
  const words = plain
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .replace(/[_\-.+~/\\]+/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase();
  return words === plain.toLowerCase() ? [] : [words];
}

/**
 * The text without the sentences that must not be shown to a model, each replaced by a mark; the mark alone where the text
 * is still unsafe as a whole.
 */
export function withoutDanger(text: string): string {
  if (dangerIn(text) === undefined) return text;
  const kept = text
    .split('\n')
    .map((line) =>
      wholeSentences(line)
        .map((sentence) => (dangerIn(sentence) === undefined ? sentence : LEFT_OUT))
        .join(' '),
    )
    .join('\n');
  return dangerIn(kept) === undefined ? kept : LEFT_OUT;
}

/** The sentences of a line; one that ends within a quotation or code goes on to its end, so that no rest of it stands alone. */
function wholeSentences(line: string): string[] {
  const found: string[] = [];
  let open = '';
  for (const part of line.split(/(?<=[.!?])\s+/)) {
    open = open === '' ? part : `${open} ${part}`;
    if ([/"/g, /`/g].some((mark) => (open.match(mark)?.length ?? 0) % 2 === 1)) continue;
    found.push(open);
    open = '';
  }
  return open === '' ? found : [...found, open];
}

/** Stands for a text that must not be shown. */
export const LEFT_OUT = '[left out: unsafe text]';
