/** The test script, its hooks, and every script whose name occurs in one of them: their texts. */
export function testScriptTexts(scripts: Readonly<Record<string, string>>): string[] {
  const reached = ['pretest', 'test', 'posttest'].filter((name) => scripts[name] !== undefined);
  for (const name of reached) {
    const words = wordsOf(scripts[name]!);
    reached.push(...words.filter((word) => scripts[word] !== undefined && !reached.includes(word)));
  }
  return reached.map((name) => scripts[name]!);
}

/** The words of a script, without quotes and operators. */
export function wordsOf(script: string): string[] {
  return script.split(/[\s"';&|()]+/);
}
