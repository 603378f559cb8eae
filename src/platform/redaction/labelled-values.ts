import type { Span } from './spans.ts';

/** A form in which a label, such as `password`, stands next to a secret. */
interface LabelledPlace {
  readonly name: string;
  /** In lower case; every matching text contains one of them. Texts without a hint are not searched. */
  readonly hints: readonly string[];
  /** First group: the label. Second group: the value. */
  readonly pattern: RegExp;
  readonly when: (value: string) => boolean;
}

const LABEL =
  'password|passwd|passphrase|secret|token|api[_-]?key|(?:access|account|private|auth|encryption|signing|master|session)[_-]?key|credentials?|_auth';
/** Matches every text that contains one of the places, and is far cheaper to search for. */
export const SECRET_CONTEXT =
  /pass|secret|token|key|credential|auth|bearer|basic|cookie|login|-u[ =]|--user|sig=|:\/\//i;
const SHORTEST = 10;
const QUOTE = '\\\\{0,3}["\'`]';

const PLACES: readonly LabelledPlace[] = [
  {
    name: 'quoted value',
    hints: [':', '='],
    pattern: new RegExp(
      `((?:${LABEL})(?:${QUOTE})?\\]?[^\\S\\n]{0,4}(?::|=>|={1,3})[^\\S\\n]{0,4}${QUOTE})([^"'\`\\s\\\\]{8,2000})(?=${QUOTE})`,
      'gi',
    ),
    when: isMixed,
  },
  {
    name: 'plain value',
    hints: [':', '='],
    pattern: new RegExp(
      `((?:${LABEL})s?=|(?:${LABEL})s?: {0,4})([^\\s\\p{Cc}"'\`;&,<>(){}[\\]|]{8,2000})(?=[\\s\\p{Cc}"'\`;&,<>)}\\]|\\\\]|$)`,
      'giu',
    ),
    when: isRandom,
  },
  {
    name: 'secret key of AWS',
    hints: ['aws'],
    pattern:
      /(aws_?[a-z_]{0,20}(?:key|token)["']?[^\S\n]{0,4}[=:][^\S\n]{0,4}["']?)([A-Za-z0-9/+=]{30,2000})/gi,
    when: isMixed,
  },
  {
    name: 'line of an INI file',
    hints: ['='],
    pattern: new RegExp(
      `((?<=^|\\s)[a-z0-9_.-]{0,60}(?:${LABEL})[^\\S\\n]{1,4}=[^\\S\\n]{1,4})([^\\s"'\`;(){}[\\]]{12,2000})(?=[^\\S\\n]{0,4}(?:\\n|\\\\|$))`,
      'g',
    ),
    when: isRandom,
  },
  {
    name: 'variable of a shell',
    hints: ['='],
    pattern: /((?:PASSWORD|PASSWD|PASS|SECRET|TOKEN|KEY)=)([^\s"'`;&|<>(){}[\]$]{6,2000})/g,
    when: isMixed,
  },
  {
    name: 'option of a command',
    hints: ['--'],
    pattern:
      /(--(?:[a-z]{1,20}-){0,3}(?:password|token|secret|api-?key|passphrase)[ =]["']?)([^\s"'`<>[\]{}$]{6,2000})/gi,
    when: isMixed,
  },
  {
    name: 'authorization',
    hints: ['authorization'],
    pattern:
      /(authorization["']?[^\S\n]{0,4}[:=][^\S\n]{0,4}["']?(?:[a-z]{1,20}[^\S\n]{1,4})?)([A-Za-z0-9._~+/=-]{12,4000})/gi,
    when: isMixed,
  },
  {
    name: 'bearer, basic',
    hints: ['bearer', 'basic'],
    pattern: /((?:bearer|basic)[^\S\n]{1,4})([A-Za-z0-9._~+/=-]{16,4000})/gi,
    when: isMixed,
  },
  {
    name: 'API key header',
    hints: ['x-'],
    pattern:
      /(x-(?:[a-z]{1,20}-){0,3}(?:key|token|secret)["']?[^\S\n]{0,4}[:=][^\S\n]{0,4}["']?)([A-Za-z0-9._~+/=-]{8,2000})/gi,
    when: isMixed,
  },
  {
    name: 'cookie',
    hints: ['cookie'],
    pattern: /(cookie["']?[^\S\n]{0,4}[:=][^\S\n]{0,4}["']?[^=;\s"']{1,64}=)([^;\s"']{12,4000})/gi,
    when: isMixed,
  },
  {
    name: 'URL with a password',
    hints: ['://'],
    pattern: /([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'`<>]{0,100}:)([^\s@/"'`<>{}$]{3,400})(?=@)/gi,
    when: (value) => !/^(?:pass(?:word)?|pw|\*+|x+|\.{3}|[%#]\w+)$/i.test(value),
  },
  {
    name: 'netrc',
    hints: ['login'],
    pattern: /(login[^\S\n]{1,4}\S{1,100}[^\S\n]{1,4}password[^\S\n]{1,4})(\S{4,400})/gi,
    when: () => true,
  },
  {
    name: 'netrc, a line',
    hints: ['password'],
    pattern: /((?<=^|\s)password[^\S\n]{1,4})(\S{4,400})(?=[^\S\n]{0,4}(?:\n|$))/gi,
    when: isMixed,
  },
  {
    name: 'curl --user',
    hints: ['-u'],
    pattern: /((?:(?:^|\s)-u|--user)[ =]["']?[^\s:"']{1,100}:)([^\s"'$]{4,400})/g,
    when: (value) => !/^pass(?:word)?$/i.test(value),
  },
  {
    name: 'signed URL',
    hints: ['?', '&'],
    pattern:
      /([?&](?:sig|signature|x-amz-signature|x-goog-signature|x-amz-security-token)=)([A-Za-z0-9%+/=_-]{32,2000})/gi,
    when: () => true,
  },
];

/** Finds secrets by their labels. */
export function findLabelledValues(text: string): Span[] {
  if (text.length < SHORTEST || !SECRET_CONTEXT.test(text)) return [];
  const lowered = text.toLowerCase();
  const places = PLACES.filter(({ hints }) => hints.some((hint) => lowered.includes(hint)));
  return places.flatMap(({ pattern, when }) =>
    [...text.matchAll(pattern)]
      .filter((match) => when(match[2]!))
      .map((match) => {
        const start = match.index + match[1]!.length;
        return { start, end: start + match[2]!.length };
      }),
  );
}

const SECRET_KEY = new RegExp(`(?:${LABEL})$`, 'i');

/** True for a field whose name is a label and whose value is not just a word. */
export function isSecretField(name: string, value: string): boolean {
  return value.length >= 8 && !/\s/.test(value) && SECRET_KEY.test(name) && isMixed(value);
}

/** Letters and digits, a mix that is rare in words, type names and placeholders. */
function isMixed(value: string): boolean {
  if (value.includes('[redacted') || /^[$%<{]|\.\.\.$|\*{3}|\$\{|==./.test(value)) return false;
  const digits = value.match(/\d/g)?.length ?? 0;
  if (digits === 0 || !/[A-Za-z]/.test(value)) return isLongAndRandom(value);
  return digits >= 2 || (/[a-z]/.test(value) && /[A-Z]/.test(value)) || /[^\w.:/-]/.test(value);
}

/** `isMixed`, but not an identifier of code; for values without quotes. */
function isRandom(value: string): boolean {
  if (!isMixed(value) || /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value)) return false;
  const changes = value.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
  return changes >= 3 || /[^\w.:/-]/.test(value);
}

/** Random letters of both cases without a digit: long, and not camel case. */
function isLongAndRandom(value: string): boolean {
  const changes = value.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0;
  return value.length >= 16 && /^[A-Za-z+/=_-]+$/.test(value) && changes > value.length / 3;
}
