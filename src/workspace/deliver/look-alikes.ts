import { foldPath } from './path-spelling.ts';

/**
 * Letters and signs of other scripts that most fonts draw as one of ASCII, by the sign that they resemble (Unicode
 * Technical Standard 39). Those of `I` resemble `l` too.
 */
const TWINS: Readonly<Record<string, string>> = {
  '-': '‐‑‒–⁃˗−➖Ⲻ',
  '.': 'ꓸ',
  a: 'ɑαаΑАᎪꓮ',
  b: 'ƄЬᏏꞴΒВᏴꓐ',
  c: 'ᴄϲⲥсꮯϹⲤСᏟꓚ',
  d: 'ԁᏧꓒᎠꓓ',
  e: '℮ꬲеҽΕЕᎬꓰ',
  f: 'ꬵꞙẝքꞘϜꓝ',
  g: 'ɡᶃƍցԌᏀᏳꓖ',
  h: 'һհᏂΗⲎНᎻꓧ',
  i: 'ɪɩιιͺіꙇӏꭵᎥƖǀΙⲒІӀꓲ',
  j: 'ϳјꞲͿЈᎫꓙ',
  k: 'ΚⲔКᏦꓗ',
  l: 'ⳐᏞꓡ',
  m: 'ΜϺⲘМᎷꓟ',
  n: 'ոռΝⲚꓠ',
  o: 'ᴏᴑꬽοσⲟоჿօΟⲞОՕꓳ',
  p: 'ρϱⲣрΡⲢРᏢꓑ',
  q: 'ԛգզ',
  r: 'ꭇꭈᴦⲅгꮁƦᎡᏒꓣ',
  s: 'ꜱƽѕꮪЅՏᏕᏚꓢ',
  t: 'ΤⲦТᎢꓔ',
  u: 'ꞟᴜꭎꭒʋυսՍꓴ',
  v: 'ᴠνѵꮩѴᏙꓦ',
  w: 'ɯᴡѡԝաꮃԜᎳᏔꓪ',
  x: '×хꞳΧⲬХꓫ',
  y: 'ɣᶌʏỿꭚγуүΥϒⲨУҮᎩᎽꓬ',
  z: 'ᴢꮓΖᏃꓜ',
};
const ASCII_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(TWINS).flatMap(([sign, twins]) => [...twins].map((twin) => [twin, sign] as const)),
);
const LIKE_I_AND_L: ReadonlySet<string> = new Set('ӏƖǀΙⲒІӀꓲ');
const ASCII = /^[\0-\x7f]*$/;

/**
 * What a path may be taken for: itself as a file system without case compares it, and what a reader takes it for who does
 * not see a Cyrillic letter beside a Latin one. Without a repetition; a path in ASCII has one reading.
 */
export function readingsOf(path: string): readonly string[] {
  const folded = foldPath(path);
  if (ASCII.test(path)) return [folded];
  return [...new Set([folded, asciiOf(path, 'i'), asciiOf(path, 'l')])];
}

function asciiOf(path: string, ambiguous: 'i' | 'l'): string {
  const drawn = (text: string): string =>
    [...text].map((sign) => (LIKE_I_AND_L.has(sign) ? ambiguous : (ASCII_OF.get(sign) ?? sign))).join('');
  // Capital letters have look-alikes of their own, so the letters are replaced before the case is, and once more after it.
  return drawn(foldPath(drawn(path)));
}
