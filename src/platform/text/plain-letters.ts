/** Letters of other alphabets that look like those of the Latin one, each pair in its order. */
const ALIKE =
  'ıiɩiɪiіiιiɡgаaαaеeєeоoοoσoрpρpсcϲcуyγyхxχxјjѕsԁdһhոnηnνvѵvυuսuτtтtκkкkмmвbβbнhԛqԝwʀrɴnʟlᴏoᴜuᴇeᴀaᴛtᴄcᴅdᴍmᴘpꜱsɢgʙbʜhᴠvᴡwʏyᴢz';
const PLAIN = new Map(
  Array.from([...ALIKE], (letter, at, all = [...ALIKE]) => [letter, all[at + 1]!] as const).filter(
    (_, at) => at % 2 === 0,
  ),
);

/** The text with the letters that it seems to have: wide, marked and foreign ones that look Latin become Latin. */
export function withPlainLetters(text: string): string {
  const letters = [...text.normalize('NFKD').replace(/\p{M}/gu, '')];
  return letters.map((letter) => PLAIN.get(letter.toLowerCase()) ?? letter).join('');
}
