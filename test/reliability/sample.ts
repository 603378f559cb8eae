/** Every `step`-th item, from the item `seed % step` on: spread evenly over the list, and the same for the same seed. */
export function sampleOf<T>(items: readonly T[], step: number, seed: number): T[] {
  return items.filter((_, index) => index % step === seed % step);
}
