import { createHash } from 'node:crypto';

/** A small generator with a seed (mulberry32), so that a run can be repeated. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A generator for `name` alone, so that its values do not depend on anybody's order. */
  static of(seed: number, name: string): Random {
    return new Random(createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE());
  }

  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** One of the choices, each equally likely. */
  pick<const T>(choices: readonly T[]): T {
    const picked = choices[Math.floor(this.next() * choices.length)];
    if (picked === undefined) throw new Error('there is nothing to pick from');
    return picked;
  }
}
