/**
 * Passes on values in the order in which they were announced, although they may arrive in another one. Each announced value must
 * arrive, or the later ones wait forever.
 */
export function inCallOrder<T>(pass: (value: T) => void): () => (value: T) => void {
  const slots: { arrived?: { readonly value: T } }[] = [];
  return () => {
    const slot: (typeof slots)[number] = {};
    slots.push(slot);
    return (value) => {
      slot.arrived = { value };
      for (let next = slots[0]?.arrived; next !== undefined; next = slots[0]?.arrived) {
        slots.shift();
        pass(next.value);
      }
    };
  };
}
