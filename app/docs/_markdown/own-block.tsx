import type { ReactNode } from 'react';
import { errorsOf } from '../_content/errors.ts';
import { CardTable, cardWords } from '../_parts/card-table.tsx';
import { DeliveryList, deliveryWords } from '../_parts/delivery-list.tsx';
import { LifeDiagram, lifeWords } from '../_parts/life-diagram.tsx';
import { RetryPlan, retryWords } from '../_parts/retry-plan.tsx';
import { SampleTabs, sampleWords } from '../_parts/sample-tabs.tsx';
import { InlineText } from './inline.tsx';

/** A block of ours: its rendering, and its words for the search. */
type OwnBlockKind = {
  draw: (argument: string) => ReactNode;
  words: (argument: string) => string | Promise<string>;
};

const BLOCKS: Record<string, OwnBlockKind> = {
  cards: { draw: () => <CardTable />, words: cardWords },
  'delivery-failures': { draw: () => <DeliveryList />, words: deliveryWords },
  errors: {
    draw: (argument) => <ErrorList status={Number(argument)} />,
    // The search finds each error by itself.
    words: () => '',
  },
  life: { draw: () => <LifeDiagram />, words: lifeWords },
  retries: { draw: () => <RetryPlan />, words: retryWords },
  samples: { draw: (argument) => <SampleTabs name={argument} />, words: sampleWords },
};

function kindOf(name: string): OwnBlockKind {
  const kind = BLOCKS[name];
  if (!kind) throw new Error(`The docs have no block @${name}.`);
  return kind;
}

type Call = { name: string; argument: string };

/** A block of ours that a text calls by name: a diagram, a table, samples. */
export function OwnBlock({ name, argument }: Call) {
  return kindOf(name).draw(argument);
}

/** The search words of a block of ours. */
export async function ownBlockWords({ name, argument }: Call): Promise<string> {
  return await kindOf(name).words(argument);
}

/** Each error of a status: its message, its cause, and its cure. */
function ErrorList({ status }: { status: number }) {
  return (
    <ul className="docs-errors">
      {errorsOf(status).map(({ id, type, message, why, cure }) => (
        <li key={id} id={id} className="docs-error">
          <a href={`#${id}`} className="docs-error-message docs-anchor">
            {type && <span className="docs-error-type">{type}</span>}
            {message}
          </a>
          <p className="docs-error-text">
            <InlineText text={why} />
          </p>
          <p className="docs-error-text">
            <strong>Cure:</strong> <InlineText text={cure} />
          </p>
        </li>
      ))}
    </ul>
  );
}
