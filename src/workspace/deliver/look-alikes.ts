import { foldPath } from './path-spelling.ts';

/**
 * Letters and signs of other scripts that most fonts draw as one of ASCII, by the sign that they resemble (Unicode
 * Technical Standard 39). Those of `I` resemble `l` too.
 */
const TWINS: Readonly<Record<string, string>> = {
  '-': '‐‑‒–⁃˗−➖Ⲻ',
  '.': 'ꓸ',
  a: 'ɑαаΑАᎪꓮᴀ',
  b: 'ƄЬᏏꞴΒВᏴꓐʙ',
  c: 'ᴄϲⲥсꮯϹⲤСᏟꓚ',
  d: 'ԁᏧꓒᎠꓓᴅ',
  e: '℮ꬲеҽΕЕᎬꓰᴇ',
  f: 'ꬵꞙẝքꞘϜꓝꜰ',
  g: 'ɡᶃƍցԌᏀᏳꓖɢ',
  h: 'һհᏂΗⲎНᎻꓧʜ',
  i: 'ɪɩιιͺіꙇӏꭵᎥƖǀΙⲒІӀꓲ',
  j: 'ϳјꞲͿЈᎫꓙᴊ',
  k: 'ΚⲔКᏦꓗᴋ',
  l: 'ⳐᏞꓡʟ',
  m: 'ΜϺⲘМᎷꓟᴍ',
  n: 'ոռΝⲚꓠɴ',
  o: 'ᴏᴑꬽοσⲟоჿօΟⲞОՕꓳ',
  p: 'ρϱⲣрΡⲢРᏢꓑᴘ',
  q: 'ԛգզ',
  r: 'ꭇꭈᴦⲅгꮁƦᎡᏒꓣʀ',
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

/** The word in ASCII that a word with other letters is read as; undefined if there is none, or it is in ASCII itself. */
export function likeAscii(word: string): string | undefined {
  return ASCII.test(word) ? undefined : readingsOf(word).find((it) => ASCII.test(it));
}

/** Code points that are not drawn, such as the choice of a variant of the sign before them. */
const NOT_DRAWN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The look of a path in passing: `mu1` like `mul`, `rnodel` like `model`. For a comparison with another path only,
 * because many honest paths look like a different one.
 */
export function likenessOf(path: string): string {
  const drawn = path.replace(NOT_DRAWN, '').replace(/[1I|]/g, 'l').replaceAll('0', 'o');
  return asciiOf(drawn, 'l').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

function asciiOf(path: string, ambiguous: 'i' | 'l'): string {
  const drawn = (text: string): string =>
    [...text].map((sign) => (LIKE_I_AND_L.has(sign) ? ambiguous : (ASCII_OF.get(sign) ?? sign))).join('');
  // Capital letters have look-alikes of their own, so the letters are replaced before the case is, and once more after it.
  return drawn(foldPath(drawn(path)));
}
