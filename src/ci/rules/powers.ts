/** Powers of a source: means by which its code reaches outside of its own process, read from its text. */

export type Power = 'network' | 'programs' | 'files' | 'code' | 'names';

/** A power as the end of "so that it …". */
export const POWER_TEXTS: Readonly<Record<Power, string>> = {
  network: 'uses the network',
  programs: 'starts programs or threads',
  files: 'writes files',
  code: 'runs text as code',
  names: 'looks up a module or a global variable by a name that is made at run time',
};

const modules = (names: string): RegExp => new RegExp(`['"\`](?:node:)?(?:${names})['"\`]`);

const SIGNS: Readonly<Record<Power, readonly RegExp[]>> = {
  network: [
    modules('https?|http2|net|tls|dgram|dns|dns/promises|inspector|inspector/promises'),
    modules('undici|axios|got|ky|ws|node-fetch|cross-fetch|superagent|request|phin|needle'),
    /(?<![.\w$'"`#-])fetch\b(?!['"`:])|\b(?:globalThis|global|window|self)\??\.fetch\b/,
    /\b(?:XMLHttpRequest|WebSocket|WebTransport|EventSource|RTCPeerConnection|sendBeacon|importScripts)\b/,
  ],
  programs: [
    modules('child_process|cluster|worker_threads|execa|zx|cross-spawn|shelljs|tinyexec|nano-spawn'),
    /\bBun\.(?:spawn|\$)|\bDeno\.(?:Command|run)\b|\bnew\s+Worker\b/,
  ],
  files: [],
  code: [
    modules('vm'),
    /(?<![.\w$])eval\b(?!['"`:])|\beval\??\.\(|(?<![.\w$])Function\s*(?:\?\.\s*)?[(`]/,
    /\bconstructor\s*(?:\?\.)?\s*(?:\(\s*['"`]|\.constructor\b|\[\s*['"`]constructor)/,
    /\bset(?:Timeout|Interval)\s*\(\s*['"`]/,
  ],
  names: [
    modules('module|repl'),
    /\b(?:getBuiltinModule|createRequire|dlopen|mainModule|_load|_linkedBinding)\b|\bprocess\.binding\b/,
    /\b(?:import|require)\s*\(\s*(?!['"][^'"]*['"]\s*[,)])/,
    /(?<!typeof\s+)(?<![\w$'"`/.-])(?:globalThis|global)(?![\w$'"`/-])(?!\s*\??\.\s*[\w$])(?!\s*[:=][^=])/,
    /\b(?:window|self|process)\s*(?:\?\.)?\s*\[/,
  ],
};
const FILES = modules('fs|fs/promises|fs-extra|graceful-fs|write-file-atomic|rimraf|del|jsonfile');
const WRITES = /\b(?:write|append|copy|cp|rename|symlink|link|truncate|unlink|rm|mkdir|createWrite)\w*\s*\(/;
const OTHER_WRITES = /\b(?:Bun\.write|Deno\.write\w*)\b/;
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** The powers of a text; comments do not count. */
export function powersOf(text: string): ReadonlySet<Power> {
  const code = text.replace(COMMENTS, '');
  const found = (Object.keys(SIGNS) as Power[]).filter((power) => SIGNS[power].some((it) => it.test(code)));
  const writes = (FILES.test(code) && WRITES.test(code)) || OTHER_WRITES.test(code);
  return new Set([...found, ...(writes ? (['files'] as const) : [])]);
}
