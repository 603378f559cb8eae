/** A word of a comment that leads its reader elsewhere: the address of a site, or the name of an account. */
export interface Lead {
  readonly text: string;
  readonly index: number;
  readonly does: string;
}

const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>)\]}]+|(?<![\w@.])www\.[^\s"'`<>)\]}]+/gi;
const HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@]*@)?([^/:?#]*)/i;

/** Sites on which standards, languages and known faults are described, and names that are nobody's. */
const REFERENCES = new RegExp(
  `(?:^|\\.)(?:${[
    ...[
      'mozilla.org',
      'w3.org',
      'whatwg.org',
      'ietf.org',
      'rfc-editor.org',
      'tc39.es',
      'unicode.org',
      'iso.org',
    ],
    ...['ecma-international.org', 'ecma262.info', 'iana.org', 'icann.org', 'wikipedia.org', 'wiktionary.org'],
    ...['nodejs.org', 'v8.dev', 'chromium.org', 'webkit.org', 'caniuse.com', 'web.dev', 'typescriptlang.org'],
    ...[
      'gnu.org',
      'kernel.org',
      'opengroup.org',
      'man7.org',
      'ieee.org',
      'acm.org',
      'semver.org',
      'json.org',
    ],
    ...[
      'json-schema.org',
      'schema.org',
      'spdx.org',
      'opensource.org',
      'stackoverflow.com',
      'stackexchange.com',
    ],
    ...['snyk.io', 'cve.org', 'nist.gov', 'mitre.org', 'owasp.org', 'docs.python.org', 'learn.microsoft.com'],
    ...['europa.eu', 'gov', 'edu', 'gov\\.[a-z]{2}', 'ac\\.[a-z]{2}', 'localhost', 'test', 'invalid'],
    ...['example.com', 'example.org', 'example.net', '127\\.0\\.0\\.1'],
  ]
    .map((it) => it.replaceAll(/(?<!\\)\./g, '\\.'))
    .join('|')})$`,
  'i',
);
/** Addresses of discussions and of lines of code in other repositories, which honest comments point to. */
const DISCUSSION =
  /^https?:\/\/(?:www\.)?git(?:hub|lab)\.com\/[\w.-]+\/[\w.-]+\/(?:-\/)?(?:issues|pull|pulls|merge_requests|discussions|commit|blob|tree|compare|advisories|security)(?:[/?#]|$)/i;

/** Whether a host is one that people refer to in general, or nobody's. */
export function isReference(host: string): boolean {
  return REFERENCES.test(host.replace(/:\d+$/, ''));
}

/** Addresses of sites that neither the known texts name nor people refer to in general. */
export function addressesIn(text: string, known: (host: string) => boolean): Lead[] {
  return [...text.matchAll(ADDRESS)].flatMap(({ 0: found, index }) => {
    const address = found.replace(/[.,;:!?]+$/, '');
    const host = HOST.exec(address)?.[1]?.toLowerCase() ?? '';
    if (host === '' || REFERENCES.test(host) || DISCUSSION.test(address) || known(host)) return [];
    return [{ text: address, index, does: 'leads to a site that the file does not name so far' }];
  });
}

const ORIGIN = /^([a-z][a-z0-9+.-]*:)\/\/(?:[^/@]*@)?([^/?#]*)/i;

/** The sites, as `https://shop.example`, that the addresses of a text lead to, but those that people refer to in general. */
export function originsIn(text: string): { readonly origin: string; readonly index: number }[] {
  return [...text.matchAll(ADDRESS)].flatMap(({ 0: found, index }) => {
    const [, scheme = '', host = ''] = ORIGIN.exec(found) ?? [];
    const isReferred = isReference(host) || DISCUSSION.test(found);
    return host === '' || isReferred ? [] : [{ origin: `${scheme}//${host}`.toLowerCase(), index }];
  });
}

/** The start of a URL as browsers and Node.js read it: blanks before it, and slashes of any kind and number. */
const SCHEME = /^[\0-\x20]*(https?|wss?|ftp):[\\/]*/i;
const NO_SCHEME = /^[\0-\x20]*[\\/]{2}(?=[\w-]+\.)/;
/** Signs that are left out of a URL wherever they are. */
const LEFT_OUT = /[\t\n\r]/g;
const NAME_OF_HOST = /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?$/i;

/**
 * The site that a text leads to if it is given to a request as it is, however its address is spelled: `https:\\shop.example`,
 * `https:shop.example`, `//shop.example` (without a protocol). Undefined if it leads to none, or is spelled as `plain` has it.
 */
export function requestedOrigin(text: string, plain: readonly string[]): string | undefined {
  const address = text.replaceAll(LEFT_OUT, '');
  const scheme = SCHEME.exec(address);
  const rest = address.replace(scheme === null ? NO_SCHEME : SCHEME, '');
  if (scheme === null && rest === address) return undefined;
  const written = /^[^/\\?#]*/.exec(rest)![0].replace(/^.*@/, '').toLowerCase();
  const protocol = scheme === null ? '' : `${scheme[1]!.toLowerCase()}:`;
  const host = hostOf(written);
  if (host === undefined || plain.includes(`${protocol}//${written}`)) return undefined;
  if (scheme === null && !isNameOfHost(host)) return undefined;
  const isReferred = isReference(host) || DISCUSSION.test(`https://${rest.replaceAll('\\', '/')}`);
  return isReferred ? undefined : `${protocol}//${host}`;
}

/** `shop.example`, with a port or without. */
export function isNameOfHost(text: string): boolean {
  return NAME_OF_HOST.test(text);
}

/** The name of a host, as a request has it; undefined for one that is a number in brackets, or none. */
function hostOf(written: string): string | undefined {
  if (written === '' || /[\s<>{}*$|[\]]/.test(written)) return undefined;
  try {
    return new URL(`ws://${written}`).hostname + (/:\d+$/.exec(written)?.[0] ?? '');
  } catch {
    return undefined;
  }
}

const MENTION = /(?<![\w.@/\\`'"{:-])@([a-z\d](?:[\w-]*[a-z\d])?)(?![\w/(.-])/gi;
/** Words with this sign in comments: tags of documentation, annotations, rules of style sheets. */
const TAGS = new Set(
  `abstract access alias alpha api arg argument async augments author beta borrows bug callback category class classdesc
  component const constant constructor constructs copyright created customelement date decorator default defaultvalue deprecated
  desc description dict dom emits enum enumerable event eventproperty example exception experimental export exports expose extends
  external externs field file fileoverview final fires flow for format fulfil func function generated generator global group
  hideconstructor hidden host id ignore implements implicitcast import in index inherit inheritdoc inheritdesc init inline inner
  instance interface internal is kind label lends license link linkcode linkplain listens member memberof memberop method methodof
  mixes mixin modifies module name namespace ngdoc nocollapse nosideeffects note noalias nodoc observable option optional overload
  override overview owner package packagedocumentation param parameter preserve primaryexport privateremarks private prop property
  protected prototype public pure readonly record ref rejects release remarks requires restrict result return returns satisfies
  sealed section see setup signature since slot snippet state static struct subpackage summary suppress svelte task template test
  tests this throw throws title todo tsdoc tutorial type typecheckingmode typedef typeparam types unrestricted unit unstable usage
  use uses var variation version virtual vue warning yield yields
  media import charset layer supports keyframes font-face include mixin extend apply tailwind container page namespace
  if else endif each for while function return`.split(/\s+/),
);

/** Names of accounts, which bots and people would be called by. */
export function mentionsIn(text: string): Lead[] {
  return [...text.matchAll(MENTION)].flatMap(({ 0: found, 1: name, index }) => {
    // Annotations of other languages, and of this one, begin with a capital letter.
    if (/[A-Z]/.test(name!) || /^ts-/.test(name!) || TAGS.has(name!.toLowerCase())) return [];
    return [{ text: found, index, does: 'mentions an account' }];
  });
}
