/** Numbers that look random and are the same for the same seed. */
export type Random = {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number, both ends included. */
  int(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** One of the names, with a probability by its weight. */
  weighted<T extends string>(weights: Record<T, number>): T;
  /** Long-tailed around `median`: half below, a few far above. */
  skewed(median: number, spread: number): number;
};

/** Mulberry32: 32 bits of state are plenty for made-up data, and only for that. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A source of repeatable randomness; never for anything that must be unguessable. */
export function randomFrom(seed: number): Random {
  const next = mulberry32(seed);
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (choices) => {
      const chosen = choices[int(0, choices.length - 1)];
      if (chosen === undefined) throw new Error('nothing to choose from');
      return chosen;
    },
    weighted: <T extends string>(weights: Record<T, number>): T => {
      const entries = Object.entries(weights) as [T, number][];
      let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        rest -= weight;
        if (rest < 0) return name;
      }
      throw new Error('no weight is above zero');
    },
    skewed: (median, spread) => {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return median * Math.exp(spread * normal);
    },
  };
}
