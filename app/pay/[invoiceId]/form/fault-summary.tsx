import type { Ref } from 'react';
import type { Messages } from '#server/i18n/translator.ts';
import { CARD_FIELDS, type CardFaults } from './card-rules.ts';

/** All faults at once, each a link to its field (GOV.UK Design System, "Error summary"). */
export function FaultSummary({
  ref,
  faults,
  title,
  texts,
}: {
  ref: Ref<HTMLDivElement>;
  faults: CardFaults;
  title: string;
  texts: Messages['pay']['faults'];
}) {
  const fields = CARD_FIELDS.filter((field) => faults[field]);
  if (fields.length === 0) return null;
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      className="rounded-xl border-2 border-negative p-4 text-[0.9375rem]"
    >
      <p className="font-semibold">{title}</p>
      <ul className="mt-1.5 space-y-1">
        {fields.map((field) => {
          const fault = faults[field];
          return (
            <li key={field}>
              <a
                href={`#${field}`}
                className="font-medium text-negative underline underline-offset-2"
              >
                {fault && texts[fault]}
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
