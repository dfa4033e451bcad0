import type { ReactNode } from 'react';
import { AlertIcon } from './icons.tsx';

const TONES = {
  negative: 'border-negative/40 bg-negative-soft',
  caution: 'border-caution-line bg-caution-soft',
};
const ICON_TONES = { negative: 'text-negative', caution: 'text-caution' };

/** A message above its subject. `id` makes it a target for focus. */
export function Banner({
  tone,
  title,
  id,
  children,
}: {
  tone: keyof typeof TONES;
  title: string;
  id?: string;
  children: ReactNode;
}) {
  return (
    <section
      id={id}
      tabIndex={id ? -1 : undefined}
      aria-label={title}
      className={`flex gap-3 rounded-xl border p-4 ${TONES[tone]}`}
    >
      <AlertIcon className={`mt-0.5 size-5 shrink-0 ${ICON_TONES[tone]}`} />
      <div className="min-w-0 space-y-1 text-[0.9375rem]">
        <p className="font-semibold">{title}</p>
        {children}
      </div>
    </section>
  );
}
