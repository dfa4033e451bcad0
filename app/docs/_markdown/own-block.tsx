import type { ReactNode } from 'react';
import { translatorOf } from '#server/i18n/translator.ts';
import type { DocsLanguage } from '../_content/docs-language.ts';
import { errorsOf } from '../_content/errors.ts';
import { CardTable, cardWords } from '../_parts/card-table.tsx';
import { DeliveryList, deliveryWords } from '../_parts/delivery-list.tsx';
import { LifeDiagram, lifeWords } from '../_parts/life-diagram.tsx';
import { RetryPlan, retryWords } from '../_parts/retry-plan.tsx';
import { SampleTabs, sampleWords } from '../_parts/sample-tabs.tsx';
import { InlineText } from './inline.tsx';

/** A block of ours: its rendering, and its words for the search. */
type OwnBlockKind = {
  draw: (argument: string, language: DocsLanguage) => ReactNode;
  words: (argument: string, language: DocsLanguage) => string | Promise<string>;
};

const BLOCKS: Record<string, OwnBlockKind> = {
  cards: {
    draw: (_, language) => <CardTable language={language} />,
    words: (_, language) => cardWords(language),
  },
  'delivery-failures': {
    draw: (_, language) => <DeliveryList language={language} />,
    words: (_, language) => deliveryWords(language),
  },
  errors: {
    draw: (argument, language) => <ErrorList status={Number(argument)} language={language} />,
    // The search finds each error by itself.
    words: () => '',
  },
  life: {
    draw: (_, language) => <LifeDiagram language={language} />,
    words: (_, language) => lifeWords(language),
  },
  retries: {
    draw: (_, language) => <RetryPlan language={language} />,
    words: (_, language) => retryWords(language),
  },
  samples: {
    draw: (argument, language) => <SampleTabs name={argument} language={language} />,
    words: sampleWords,
  },
};

function kindOf(name: string): OwnBlockKind {
  const kind = BLOCKS[name];
  if (!kind) throw new Error(`The docs have no block @${name}.`);
  return kind;
}

type Call = { name: string; argument: string; language: DocsLanguage };

/** A block of ours that a text calls by name: a diagram, a table, samples. */
export function OwnBlock({ name, argument, language }: Call) {
  return kindOf(name).draw(argument, language);
}

/** The search words of a block of ours. */
export async function ownBlockWords({ name, argument, language }: Call): Promise<string> {
  return await kindOf(name).words(argument, language);
}

/** Each error of a status: its message, its cause, and its cure. */
function ErrorList({ status, language }: { status: number; language: DocsLanguage }) {
  const t = translatorOf(language, 'docs.article');
  return (
    <ul className="docs-errors">
      {errorsOf(status, language).map(({ id, type, message, why, cure }) => (
        <li key={id} id={id} className="docs-error">
          <a href={`#${id}`} className="docs-error-message docs-anchor">
            {type && <span className="docs-error-type">{type}</span>}
            {message}
          </a>
          <p className="docs-error-text">
            <InlineText text={why} />
          </p>
          <p className="docs-error-text">
            <strong>{t('cure')}</strong> <InlineText text={cure} />
          </p>
        </li>
      ))}
    </ul>
  );
}
