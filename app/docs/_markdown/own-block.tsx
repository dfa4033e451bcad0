import type { ReactNode } from 'react';
import { CardTable } from '../_parts/card-table.tsx';
import { DeliveryList } from '../_parts/delivery-list.tsx';
import { ErrorList } from '../_parts/error-list.tsx';
import { LifeDiagram } from '../_parts/life-diagram.tsx';
import { RetryPlan } from '../_parts/retry-plan.tsx';
import { SampleTabs } from '../_parts/sample-tabs.tsx';

const BLOCKS: Record<string, (argument: string) => ReactNode> = {
  cards: () => <CardTable />,
  'delivery-failures': () => <DeliveryList />,
  errors: (argument) => <ErrorList status={Number(argument)} />,
  life: () => <LifeDiagram />,
  retries: () => <RetryPlan />,
  samples: (argument) => <SampleTabs name={argument} />,
};

/** A block of ours that a text calls by its name: a diagram, a table, samples. */
export function OwnBlock({ name, argument }: { name: string; argument: string }) {
  const draw = BLOCKS[name];
  if (!draw) throw new Error(`The docs have no block @${name}.`);
  return draw(argument);
}
