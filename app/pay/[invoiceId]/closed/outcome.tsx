import type { ReactNode } from 'react';

const TONES = {
  positive: 'bg-positive-soft text-positive',
  caution: 'bg-caution-soft text-caution',
  plain: 'bg-sunk text-muted',
};

/** A state that asks for no input: one sign, one sentence, the possible next steps. */
export function Outcome({
  tone,
  icon,
  title,
  children,
  actions,
}: {
  tone: keyof typeof TONES;
  icon: ReactNode;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="card animate-[rise_240ms_ease-out] px-6 py-8 text-center sm:px-10 sm:py-10">
      <div
        className={`niche mx-auto grid h-24 w-18 place-items-center pt-4 print:[print-color-adjust:exact] ${TONES[tone]}`}
      >
        {icon}
      </div>
      <h1
        tabIndex={-1}
        data-new-state
        className="mt-5 rounded font-semibold text-2xl leading-snug tracking-tight"
      >
        {title}
      </h1>
      <div className="mx-auto mt-2 max-w-md space-y-3 text-pretty text-muted">{children}</div>
      {actions && <div className="mx-auto mt-7 flex max-w-sm flex-col gap-3">{actions}</div>}
    </div>
  );
}
