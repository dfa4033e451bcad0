'use client';

import { type KeyboardEvent, type ReactNode, useId, useRef, useSyncExternalStore } from 'react';
import { choose, currentChoice, subscribe, type Tab, tabFor } from './language-choice.ts';

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** One panel of several at a time; the choice holds for all groups and is remembered. */
export function CodeTabs({
  label,
  tabs,
  remembered,
  panels,
}: {
  label: string;
  tabs: Tab[];
  /** What the reader chose on an earlier page, as the server read it. */
  remembered: string | null;
  panels: ReactNode[];
}) {
  const choice = useSyncExternalStore(
    subscribe,
    () => currentChoice() ?? remembered,
    () => remembered,
  );
  const at = tabFor(tabs, choice);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const next = (at + step + tabs.length) % tabs.length;
    const tab = tabs[next];
    if (tab) choose(tab);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div className="docs-tabs">
      <div ref={list} role="tablist" aria-label={label} className="needs-script">
        {tabs.map((tab, index) => (
          <button
            key={tab.label}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={index === at}
            aria-controls={`${id}-panel-${index}`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => choose(tab)}
            onKeyDown={onKey}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab, index) => (
        <div
          key={tab.label}
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-${index}`}
          hidden={index !== at}
        >
          {panels[index]}
        </div>
      ))}
    </div>
  );
}
