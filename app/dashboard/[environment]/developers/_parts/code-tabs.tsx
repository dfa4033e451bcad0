'use client';

import { useId, useState } from 'react';
import type { Sample } from '#app/_samples/samples.ts';
import { TabList } from '#app/_ui/tab-list.tsx';
import { CopyButton } from '../../../_shared/copy-button.tsx';

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
  const sample = samples[chosen];
  if (!sample) return null;

  return (
    <div className="overflow-hidden rounded-xl border border-line">
      <div className="flex flex-wrap items-center justify-between gap-2 border-line border-b bg-sunk px-2 py-1.5">
        <TabList
          id={id}
          label={label}
          tabs={samples.map(({ language }) => language)}
          chosen={chosen}
          onChoose={setChosen}
          panelOf={() => `${id}-panel`}
          className="flex flex-wrap gap-1"
          tabClassName={(isChosen) =>
            `rounded-lg px-2.5 py-1.5 text-sm ${
              isChosen ? 'bg-surface font-semibold shadow-sm' : 'text-muted hover:text-ink'
            }`
          }
        />
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
