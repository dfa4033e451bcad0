import type { ReactNode } from 'react';
import { SampleTabs } from '../_parts/sample-tabs.tsx';

const BLOCKS: Record<string, (argument: string) => ReactNode> = {
  samples: (argument) => <SampleTabs name={argument} />,
};

export const OWN_BLOCK_NAMES = Object.keys(BLOCKS);

/** A block of ours that a text calls by its name: a diagram, a table, samples. */
export function OwnBlock({ name, argument }: { name: string; argument: string }) {
  const draw = BLOCKS[name];
  if (!draw) throw new Error(`The docs have no block @${name}.`);
  return draw(argument);
}
