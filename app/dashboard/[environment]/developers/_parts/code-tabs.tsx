'use client';

import { Tabs } from '@base-ui/react/tabs';
import { useState } from 'react';
import type { Sample } from '#app/_samples/samples.ts';
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
  const sample = samples[chosen];
  if (!sample) return null;

  return (
    <Tabs.Root
      value={chosen}
      onValueChange={setChosen}
      className="overflow-hidden rounded-xl border border-line"
    >
      <div className="flex flex-wrap items-center justify-between gap-2 border-line border-b bg-sunk px-2 py-1.5">
        <Tabs.List activateOnFocus aria-label={label} className="flex flex-wrap gap-1">
          {samples.map(({ file, language }, index) => (
            <Tabs.Tab
              key={file}
              value={index}
              className={({ active }) =>
                `rounded-lg px-2.5 py-1.5 text-sm ${
                  active ? 'bg-surface font-semibold shadow-sm' : 'text-muted hover:text-ink'
                }`
              }
            >
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <CopyButton key={sample.file} text={sample.text} label={copy} done={copied} />
      </div>
      <Tabs.Panel value={chosen}>
        <pre className="whitespace-pre-wrap p-4 font-mono text-[0.8125rem] leading-relaxed [overflow-wrap:anywhere] [tab-size:4]">
          {sample.text}
        </pre>
      </Tabs.Panel>
    </Tabs.Root>
  );
}
