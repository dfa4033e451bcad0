'use client';

import { type ReactNode, useId, useSyncExternalStore } from 'react';
import { TabList } from '#app/_ui/tab-list.tsx';
import { choose, currentChoice, subscribe, type Tab, tabFor } from './language-choice.ts';

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
  const chooseAt = (index: number) => {
    const tab = tabs[index];
    if (tab) choose(tab);
  };
  const panelOf = (index: number) => `${id}-panel-${index}`;
  return (
    <div className="docs-tabs">
      <TabList
        id={id}
        label={label}
        tabs={tabs.map((tab) => tab.label)}
        chosen={at}
        onChoose={chooseAt}
        panelOf={panelOf}
        className="needs-script"
      />
      {tabs.map((tab, index) => (
        <div
          key={tab.label}
          role="tabpanel"
          id={panelOf(index)}
          aria-labelledby={`${id}-${index}`}
          hidden={index !== at}
        >
          {panels[index]}
        </div>
      ))}
    </div>
  );
}
