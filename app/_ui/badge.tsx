import type { ReactNode } from 'react';

const TONES = {
  positive: 'bg-positive-soft text-positive',
  negative: 'bg-negative-soft text-negative',
  caution: 'bg-caution-soft text-caution',
  plain: 'bg-sunk text-muted',
};
export type BadgeTone = keyof typeof TONES;

/** A state in words and colour; with forced colours `badge` keeps its outline. */
export function Badge({ tone, children }: { tone: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={`badge inline-flex items-center whitespace-nowrap rounded-full @max-[12rem]:inline-block @max-[12rem]:wrap-anywhere @max-[12rem]:whitespace-normal px-2.5 py-0.5 font-medium text-sm ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
