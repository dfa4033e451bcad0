'use client';

import { type KeyboardEvent, useRef } from 'react';

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * The tabs over panels, of which one is shown at a time; the arrows go from one to the next. A tab
 * has the id `${id}-${index}`, for its panel to be named by.
 */
export function TabList({
  id,
  label,
  tabs,
  chosen,
  onChoose,
  panelOf,
  className,
  tabClassName,
}: {
  id: string;
  label: string;
  tabs: string[];
  chosen: number;
  onChoose: (index: number) => void;
  /** The id of the panel that a tab shows. */
  panelOf: (index: number) => string;
  className: string;
  tabClassName?: (isChosen: boolean) => string;
}) {
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const next = (chosen + step + tabs.length) % tabs.length;
    onChoose(next);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} className={className}>
      {tabs.map((tab, index) => (
        <button
          type="button"
          key={tab}
          role="tab"
          id={`${id}-${index}`}
          aria-selected={index === chosen}
          aria-controls={panelOf(index)}
          tabIndex={index === chosen ? 0 : -1}
          onClick={() => onChoose(index)}
          onKeyDown={onKey}
          className={tabClassName?.(index === chosen)}
        >
          {tab}
        </button>
      ))}
    </div>
  );
}
