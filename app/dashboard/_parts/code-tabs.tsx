'use client';

import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { Sample } from '#app/_samples/samples.ts';
import { CopyButton } from './copy-button.tsx';

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** One program in several languages, one shown at a time. */
export function CodeTabs({
  samples,
  label,
  copy,
  copied,
}: {
  samples: Sample[];
  label: string;
  copy: string;
  copied: string;
}) {
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const tabs = useRef<HTMLDivElement>(null);
  const sample = samples[chosen];
  if (!sample) return null;

  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const next = (chosen + step + samples.length) % samples.length;
    setChosen(next);
    tabs.current?.querySelectorAll('button')[next]?.focus();
  };

  return (
    <div className="overflow-hidden rounded-xl border border-line">
      <div className="flex flex-wrap items-center justify-between gap-2 border-line border-b bg-sunk px-2 py-1.5">
        <div ref={tabs} role="tablist" aria-label={label} className="flex flex-wrap gap-1">
          {samples.map(({ language }, index) => (
            <button
              key={language}
              type="button"
              role="tab"
              id={`${id}-${index}`}
              aria-selected={index === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={index === chosen ? 0 : -1}
              onClick={() => setChosen(index)}
              onKeyDown={onKey}
              className={`rounded-lg px-2.5 py-1.5 text-sm ${
                index === chosen
                  ? 'bg-surface font-semibold shadow-sm'
                  : 'text-muted hover:text-ink'
              }`}
            >
              {language}
            </button>
          ))}
        </div>
        <CopyButton key={sample.file} text={sample.text} label={copy} done={copied} />
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        <pre className="whitespace-pre-wrap p-4 font-mono text-[0.8125rem] leading-relaxed [overflow-wrap:anywhere] [tab-size:4]">
          {sample.text}
        </pre>
      </div>
    </div>
  );
}
