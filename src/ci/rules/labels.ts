/** True if one of the labels is this one; GitHub does not tell upper from lower case in labels. */
export function hasLabel(labels: readonly string[], label: string): boolean {
  return labels.some((it) => it.toLowerCase() === label.toLowerCase());
}
